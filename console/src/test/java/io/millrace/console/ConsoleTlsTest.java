package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.console.ConsoleConfig.Tls;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A console that is asked over TLS. */
@Timeout(120)
class ConsoleTlsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static TestDatabase database;
  private static PemIdentity own;
  private static PemIdentity other;

  @TempDir private static Path folder;

  @BeforeAll
  static void open() throws Exception {
    database = TestDatabase.h2();
    own = PemIdentity.in(Files.createDirectory(folder.resolve("own")));
    other = PemIdentity.in(Files.createDirectory(folder.resolve("other")));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static TrackerServer tracker(TestDatabase over, Path certificate, Path key) {
    ConsoleConfig console =
        new ConsoleConfig("127.0.0.1", 0, new Tls(certificate, key), ConsoleConfig.DEFAULT_SESSION);
    return TrackerServer.create(
        new TrackerServerConfig(JobTrackerConfig.local(0, over.config())).withConsole(console));
  }

  @Test
  void whoBelievesTheCertificateIsAnsweredAndTheCookieStaysWithinTls() throws Exception {
    try (TestDatabase fresh = TestDatabase.h2();
        TrackerServer tracker = tracker(fresh, own.certificate(), own.key())) {
      tracker.start();
      String url = tracker.consoleUrl().orElseThrow();
      assertThat(url).startsWith("https://127.0.0.1:");

      assertThat(ask(believing(own), HttpRequest.newBuilder(URI.create(url + "/health/live"))))
          .extracting(HttpResponse::statusCode)
          .isEqualTo(200);
      HttpResponse<String> signedIn = signIn(url, tracker.firstOperatorToken().orElseThrow());
      assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(201);
      assertThat(signedIn.headers().firstValue("Set-Cookie").orElseThrow())
          .startsWith("__Host-millrace_session_" + URI.create(url).getPort() + "=")
          .contains("; HttpOnly", "; SameSite=Strict")
          .endsWith("; Secure");

      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/health/live"));
      assertThatThrownBy(() -> ask(believing(other), request)).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void whoDoesNotSpeakTlsGetsNoAnswer() throws Exception {
    try (TrackerServer tracker = tracker(database, own.certificate(), own.key())) {
      tracker.start();
      int port = URI.create(tracker.consoleUrl().orElseThrow()).getPort();

      assertThat(saidTo(port, "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
          .doesNotContain("HTTP", "live");
    }
  }

  @Test
  void fileThatCannotBeUsedIsNamed() throws Exception {
    Path missing = folder.resolve("missing.pem");
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path text = Files.writeString(folder.resolve("text.pem"), "no certificate");
    Path cut =
        Files.writeString(
            folder.resolve("cut.pem"),
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");

    Path brokenChain =
        Files.writeString(
            folder.resolve("chain.pem"),
            Files.readString(own.certificate())
                + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");

    assertRefused(missing, own.key(), missing, "does not exist");
    assertRefused(own.certificate(), missing, missing, "does not exist");
    assertRefused(empty, own.key(), empty, "certificate");
    assertRefused(text, own.key(), text, "certificate");
    assertRefused(own.key(), own.key(), own.key(), "certificate");
    assertRefused(brokenChain, own.key(), brokenChain, "certificate");
    assertRefused(own.certificate(), empty, empty, "private key");
    assertRefused(own.certificate(), own.certificate(), own.certificate(), "private key");
    assertRefused(own.certificate(), cut, cut, "private key");
    assertRefused(own.certificate(), other.key(), other.key(), own.certificate().toString());
  }

  private static void assertRefused(Path certificate, Path key, Path named, String why) {
    try (TrackerServer tracker = tracker(database, certificate, key)) {
      assertThatThrownBy(tracker::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll(named.toString(), why);
    }
  }

  private static HttpResponse<String> signIn(String url, String token) throws Exception {
    return ask(
        believing(own),
        HttpRequest.newBuilder(URI.create(url + "/api/v1/session"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"" + token + "\"}")));
  }

  private static HttpResponse<String> ask(HttpClient client, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpClient believing(PemIdentity identity) throws Exception {
    KeyStore believed = KeyStore.getInstance(KeyStore.getDefaultType());
    believed.load(null, null);
    believed.setCertificateEntry("tracker", identity.read());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(believed);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  /** What is answered to a text, until the connection is closed. */
  private static String saidTo(int port, String text) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
