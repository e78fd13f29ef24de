package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.SubmitStatus;
import io.millrace.jobclient.JobClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The health page. */
class HealthTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  private static int port(ConfigurableApplicationContext application) {
    return application.getEnvironment().getRequiredProperty("local.server.port", int.class);
  }

  private static void assertUp(int port, String path) throws Exception {
    HttpResponse<String> page = Http.get(port, path);
    assertThat(page.statusCode()).as(path).isEqualTo(200);
    assertThat(page.body()).as(path).contains("\"status\":\"UP\"").doesNotContain("millrace");
  }

  /** Other calls of the client wait for half a minute. */
  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void pageIsDownSoonWhileNoTrackerAnswersButTheProbesAreNot(@TempDir Path outbox)
      throws Exception {
    try (ConfigurableApplicationContext application =
        SpringApplication.run(
            Plain.class,
            "--server.port=0",
            "--spring.application.name=shop",
            "--management.endpoint.health.probes.enabled=true",
            "--millrace.health.timeout=50ms",
            "--millrace.client.outbox=" + outbox,
            "--millrace.client.outbox-patience=0s",
            "--millrace.trackers=127.0.0.1:1")) {
      int port = port(application);

      HttpResponse<String> page = Http.get(port, "/actuator/health");
      assertThat(page.body())
          .contains(
              "\"millrace\":{", "DOWN", "got no answer within PT0.05S: no tracker is connected")
          .doesNotContain("outboxRequests");
      assertThat(page.statusCode()).isEqualTo(503);
      assertUp(port, "/actuator/health/liveness");
      assertUp(port, "/actuator/health/readiness");

      JobClient client = application.getBean(JobClient.class);
      for (String taskId : List.of("1", "2")) {
        assertThat(client.submit(Job.builder("shop", taskId).build()).status())
            .isEqualTo(SubmitStatus.SAVED_LOCALLY);
      }
      assertThat(Http.get(port, "/actuator/health").body()).contains("\"outboxRequests\":2");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Deaf {
    private final CountDownLatch released = new CountDownLatch(1);

    @MillraceJob("deaf")
    void runWithoutHearingTheInterrupt() {
      boolean isReleased = false;
      while (!isReleased) {
        try {
          released.await();
          isReleased = true;
        } catch (InterruptedException ignored) {
          // A job that does not end when it should.
        }
      }
    }
  }

  @Test
  void pageShowsInvocationsThatAreStuck() throws Exception {
    try (TestTracker tracker = TestTracker.start();
        ConfigurableApplicationContext application =
            SpringApplication.run(
                Deaf.class,
                "--server.port=0",
                "--spring.application.name=shop",
                "--millrace.worker.interrupt-grace=1ms",
                "--millrace.trackers=" + tracker.address())) {
      int port = port(application);
      JobClient client = application.getBean(JobClient.class);
      client.submit(Job.builder("shop", "1").timeout(Duration.ofMillis(1)).retry(0).build());

      awaitPage(port, "\"stuckInvocations\":1");
      application.getBean(Deaf.class).released.countDown();
      awaitPage(port, "\"stuckInvocations\":0");
    }
  }

  private static void awaitPage(int port, String text) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(Http.get(port, "/actuator/health").body()).contains(text));
  }

  @Test
  void pageWaitsForASecondAtMost() throws Exception {
    try (ConfigurableApplicationContext application =
        SpringApplication.run(
            Plain.class,
            "--server.port=0",
            "--millrace.health.timeout=1h",
            "--millrace.trackers=127.0.0.1:1")) {
      assertThat(Http.get(port(application), "/actuator/health").body())
          .contains("got no answer within PT1S: no tracker is connected");
    }
  }

  @Test
  void indicatorMayBeSwitchedOff() {
    new WebApplicationContextRunner()
        .withUserConfiguration(Plain.class)
        .withPropertyValues(
            "millrace.trackers=127.0.0.1:1", "management.health.millrace.enabled=false")
        .run(
            context ->
                assertThat(context).hasNotFailed().doesNotHaveBean("millraceHealthIndicator"));
  }
}
