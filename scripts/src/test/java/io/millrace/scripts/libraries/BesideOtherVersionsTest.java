package io.millrace.scripts.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.TlsIdentity;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An application that has Netty, H2 and fastjson2 in the versions of Spring Boot, or in older ones,
 * uses a client and a worker as they are published. The build copies those versions to {@code
 * target/beside}.
 */
@Timeout(120)
class BesideOtherVersionsTest {
  private static final String PASSWORD = "only for this test";

  @TempDir private Path directory;
  private final List<JobTracker> trackers = new ArrayList<>();
  private List<Path> libraries = List.of();
  private Path certificate = Path.of("");

  @BeforeEach
  void startTrackers() throws Exception {
    libraries = LibraryJars.all();
    TlsIdentity identity = identity();
    certificate = identity.certificateChain();
    startTracker("plain", null);
    startTracker("tls", identity);
  }

  @AfterEach
  void stopTrackers() {
    trackers.forEach(JobTracker::close);
  }

  @ParameterizedTest
  @CsvSource({"boot-3, 4.1.127.Final, 2.3.232, 2.0.53", "boot-4, 4.2.7.Final, 2.4.240, 2.0.60"})
  void clientAndWorkerRunBeside(String versions, String netty, String h2, String fastjson)
      throws Exception {
    Path out = directory.resolve("out");
    Process application =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(Path.of("target", "beside", versions)),
                ApplicationBesideThem.class.getName(),
                directory.resolve("outbox").toString(),
                trackers.get(0).address(),
                trackers.get(1).address(),
                certificate.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    int exit = application.waitFor();

    assertThat(Files.readString(out))
        .contains("own netty: " + netty)
        .contains("own h2: " + h2)
        .contains("own fastjson2: " + fastjson)
        .contains("tcp: hello wörld")
        .contains("tls: hello wörld")
        .contains("outbox: 1 in org.h2.mvstore")
        .contains("own netty: started and stopped")
        .contains("end: reached")
        // Its own Netty logs the same under its own name.
        .containsPattern("io\\.millrace\\.internal\\.shaded\\.netty\\.\\S+ -- Using SLF4J")
        .doesNotContain("Exception", "WARNING: ");
    assertThat(exit).isZero();
  }

  private void startTracker(String name, TlsIdentity identity) {
    JobTrackerConfig local =
        JobTrackerConfig.local(
            0, StoreConfig.of("jdbc:h2:file:" + directory.resolve(name), "sa", ""));
    RpcServerConfig rpc = local.rpc();
    JobTracker tracker =
        JobTracker.create(
            new JobTrackerConfig(
                new RpcServerConfig(
                    rpc.host(), 0, null, 0, rpc.tokens(), identity, rpc.together(), rpc.limits()),
                local.rpcThreads(),
                local.store(),
                local.tracker()));
    trackers.add(tracker);
    tracker.start();
  }

  /** The application's own libraries come first. */
  private String classPath(Path own) throws IOException {
    try (Stream<Path> jars = Files.list(own)) {
      List<String> all = new ArrayList<>(jars.sorted().map(Path::toString).toList());
      libraries.forEach(jar -> all.add(jar.toString()));
      all.add(LibraryJars.jarOf(LoggerContext.class).toString());
      all.add(LibraryJars.jarOf(LoggerContext.class.getSuperclass()).toString());
      all.add(LibraryJars.jarOf(ApplicationBesideThem.class).toString());
      return String.join(System.getProperty("path.separator"), all);
    }
  }

  private TlsIdentity identity() throws Exception {
    Path file = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "tracker",
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
    return new TlsIdentity(
        pem("certificate.pem", "CERTIFICATE", keys.getCertificate("tracker").getEncoded()),
        pem("key.pem", "PRIVATE KEY", keys.getKey("tracker", PASSWORD.toCharArray()).getEncoded()));
  }

  private Path pem(String name, String label, byte[] der) throws IOException {
    return Files.writeString(
        directory.resolve(name),
        "-----BEGIN "
            + label
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(der)
            + "\n-----END "
            + label
            + "-----\n");
  }
}
