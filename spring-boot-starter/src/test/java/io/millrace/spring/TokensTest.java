package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.Token;
import io.millrace.jobclient.JobClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Trackers that require a token of clients, and another one of workers. */
class TokensTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String OF_CLIENTS = "6f9b1c0e5d7a48e2-clients";
  private static final String OF_WORKERS = "1d83e7a94b52c06f-workers";

  private static TestTracker tracker;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    tracker = TestTracker.start(new RoleTokens(Token.of(OF_CLIENTS), Token.of(OF_WORKERS)));
  }

  @AfterAll
  static void close() {
    tracker.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    @MillraceJob("work")
    void work() {}
  }

  private String file(String token) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "token", ""), token + "\n").toString();
  }

  private static ApplicationContextRunner application(String... properties) {
    return new ApplicationContextRunner()
        .withUserConfiguration(Shop.class)
        .withPropertyValues(
            "spring.application.name=shop", "millrace.trackers=" + tracker.address())
        .withPropertyValues(properties);
  }

  /** The client submits the job and the worker runs it, so both were admitted. */
  private static void assertBothAreAdmitted(String... properties) {
    application(properties)
        .run(
            context -> {
              JobClient client = context.getBean(JobClient.class);
              assertThat(
                      client
                          .await(client.submit(Job.builder("shop", "work").build()), PATIENCE)
                          .disposition())
                  .isEqualTo(Disposition.SUCCEEDED);
            });
  }

  @Test
  void clientAndWorkerProveTheirOwn() {
    assertBothAreAdmitted(
        "millrace.client.token=" + OF_CLIENTS, "millrace.worker.token=" + OF_WORKERS);
  }

  @Test
  void tokensMayBeInFiles() throws Exception {
    assertBothAreAdmitted(
        "millrace.client.token-file=" + file(OF_CLIENTS),
        "millrace.worker.token-file=" + file(OF_WORKERS));
  }

  @Test
  void ownTokenPrecedesThatOfBoth() throws Exception {
    assertBothAreAdmitted("millrace.token=" + OF_CLIENTS, "millrace.worker.token=" + OF_WORKERS);
    assertBothAreAdmitted(
        "millrace.token-file=" + file(OF_WORKERS), "millrace.client.token=" + OF_CLIENTS);
  }

  @Test
  void tokenOfTheOtherRoleIsRefused() {
    application("millrace.token=" + OF_WORKERS)
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(JobClient.class).awaitConnected(PATIENCE))
                    .hasMessageContaining("token"));
  }

  @Test
  void trackerInTheApplicationRequiresThem() throws Exception {
    try (ConfigurableApplicationContext shop =
        EmbeddedShop.run(
            "--millrace.tracker.store.url=jdbc:h2:mem:tokens",
            "--millrace.client.token=" + OF_CLIENTS,
            "--millrace.worker.token=" + OF_WORKERS)) {
      JobClient client = shop.getBean(JobClient.class);
      assertThat(
              client
                  .await(client.submit(EmbeddedTrackerTest.close("with tokens")), PATIENCE)
                  .disposition())
          .isEqualTo(Disposition.SUCCEEDED);

      try (JobClient stranger = JobClient.builder().trackers(client.health().address()).build()) {
        assertThatThrownBy(() -> stranger.awaitConnected(PATIENCE)).hasMessageContaining("token");
      }
    }
  }
}
