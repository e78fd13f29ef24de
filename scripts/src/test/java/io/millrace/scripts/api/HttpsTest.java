package io.millrace.scripts.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.millrace.scripts.CommandFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is believed to be the tracker of an https URL. */
@Timeout(60)
class HttpsTest {
  private static final String PASSWORD = "only for this test";

  @TempDir private Path directory;

  private record Named(String name) {}

  @Test
  void authorityOfTheFileIsBelievedAndNoOther() throws Exception {
    KeyStore keys = keys();
    Path authority =
        Files.writeString(
            directory.resolve("authority.pem"),
            "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getCertificate("t").getEncoded())
                + "\n-----END CERTIFICATE-----\n");
    HttpsServer server = server(keys);
    try {
      ApiUrl url = ApiUrl.parse("https://127.0.0.1:" + server.getAddress().getPort());

      assertThat(client(url, authority).get(ApiPath.of("jobs"), Named.class).value())
          .isEqualTo(new Named("a"));
      assertThatThrownBy(() -> client(url, null).get(ApiPath.of("jobs"), Named.class))
          .isInstanceOf(CommandFailedException.class)
          .hasMessageStartingWith("no answer from " + url + ": ");
    } finally {
      server.stop(0);
    }
  }

  private static ApiClient client(ApiUrl url, Path authority) throws IOException {
    return ApiClient.of(url, null, authority, Duration.ofSeconds(20));
  }

  private static HttpsServer server(KeyStore keys) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/",
        exchange -> {
          byte[] answer = "{\"name\":\"a\"}".getBytes();
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  private KeyStore keys() throws Exception {
    Path file = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "t",
                "-keyalg",
                "EC",
                "-dname",
                "CN=tracker",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }
}
