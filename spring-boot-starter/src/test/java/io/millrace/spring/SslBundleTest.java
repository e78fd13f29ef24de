package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.internal.rpc.TlsIdentity;
import io.millrace.jobclient.JobClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An encrypted tracker, whose authority the application has in an SSL bundle or a file. */
class SslBundleTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String PASSWORD = "only for this test";

  @TempDir static Path folder;
  private static TestTracker tracker;
  private static Path certificate;

  @BeforeAll
  static void start() throws Exception {
    Path store = folder.resolve("store.p12");
    keytool(
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
        store.toString(),
        "-storepass",
        PASSWORD);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    certificate =
        pem("certificate.pem", "CERTIFICATE", keys.getCertificate("tracker").getEncoded());
    Path key =
        pem("key.pem", "PRIVATE KEY", keys.getKey("tracker", PASSWORD.toCharArray()).getEncoded());
    tracker = TestTracker.start(new TlsIdentity(certificate, key));
  }

  @AfterAll
  static void close() {
    tracker.close();
  }

  private static void keytool(String... arguments) throws IOException, InterruptedException {
    String[] command = new String[arguments.length + 1];
    command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
  }

  private static Path pem(String file, String label, byte[] der) throws IOException {
    return Files.writeString(
        folder.resolve(file),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(label, Base64.getMimeEncoder().encodeToString(der), label));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    @MillraceJob("work")
    void work() {}
  }

  private static ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withUserConfiguration(Shop.class)
        .withPropertyValues(
            "spring.application.name=shop", "millrace.trackers=" + tracker.address());
  }

  /** The client submits the job and the worker runs it, so both trust the tracker. */
  private static void assertBothTrustIt(ApplicationContext application) {
    JobClient client = application.getBean(JobClient.class);
    client.awaitConnected(SOON);
    assertThat(client.await(client.submit(Job.builder("shop", "work").build()), SOON).disposition())
        .isEqualTo(Disposition.SUCCEEDED);
  }

  @Test
  void authorityOfABundleIsTrusted() {
    application()
        .withPropertyValues(
            "spring.ssl.bundle.pem.trackers.truststore.certificate=file:" + certificate,
            "millrace.tls.bundle=trackers")
        .run(SslBundleTest::assertBothTrustIt);
  }

  @Test
  void keyStoreOfABundleIsAuthorityToo() {
    application()
        .withPropertyValues(
            "spring.ssl.bundle.jks.trackers.truststore.location=file:"
                + folder.resolve("store.p12"),
            "spring.ssl.bundle.jks.trackers.truststore.password=" + PASSWORD,
            "spring.ssl.bundle.jks.trackers.truststore.type=PKCS12",
            "millrace.tls.bundle=trackers")
        .run(SslBundleTest::assertBothTrustIt);
  }

  @Test
  void authorityOfAFileIsTrusted() {
    application()
        .withPropertyValues("millrace.tls.certificates=" + certificate)
        .run(SslBundleTest::assertBothTrustIt);
  }

  @Test
  void authoritiesOfTheJvmAreNotEnough() {
    application()
        .withPropertyValues("millrace.tls.enabled=true")
        .run(
            context ->
                assertThatThrownBy(
                        () ->
                            context.getBean(JobClient.class).awaitConnected(Duration.ofMillis(300)))
                    .hasMessageContaining(tracker.address()));
  }
}
