package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs are observations, in an application that has no tracer on its class path. */
class ObservedRunsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @MillraceJob("pass")
    void pass() {}

    @MillraceJob("refuse")
    Result refuse() {
      return Result.failed("out of stock");
    }

    @MillraceJob("throw")
    void fail() {
      throw new IllegalStateException("out of order");
    }
  }

  @Test
  void eachRunIsMeasuredByHandlerAndGroupAndOutcome() {
    try (TestTracker tracker = TestTracker.start()) {
      new ApplicationContextRunner()
          .withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
          .withUserConfiguration(Shop.class)
          .withPropertyValues(
              "spring.application.name=shop", "millrace.trackers=" + tracker.address())
          .run(
              context -> {
                JobClient client = context.getBean(JobClient.class);
                MeterRegistry meters = context.getBean(MeterRegistry.class);
                assertMeasured(client, meters, "pass", "SUCCESS", Disposition.SUCCEEDED);
                assertMeasured(client, meters, "refuse", "FAILED", Disposition.FAILED);
                assertMeasured(client, meters, "throw", "THROWN", Disposition.DEAD);
              });
    }
  }

  private static void assertMeasured(
      JobClient client, MeterRegistry meters, String handler, String outcome, Disposition end) {
    Job job = Job.builder("shop", handler).handler(handler).retry(0).build();
    assertThat(client.await(client.submit(job), PATIENCE).disposition()).isEqualTo(end);

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        meters
                            .get("millrace.job")
                            .tags("handler", handler, "group", "shop", "outcome", outcome)
                            .timer()
                            .count())
                    .isOne());
  }
}
