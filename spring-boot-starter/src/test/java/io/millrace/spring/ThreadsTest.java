package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** The threads of jobs. CI runs this on a JVM without virtual threads and on one that has them. */
class ThreadsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final boolean HAS_VIRTUAL = Runtime.version().feature() >= 21;

  private static TestTracker tracker;

  @BeforeAll
  static void start() {
    tracker = TestTracker.start();
  }

  @AfterAll
  static void close() {
    tracker.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    @MillraceJob("kind")
    String kind() throws ReflectiveOperationException {
      boolean isVirtual =
          HAS_VIRTUAL
              && (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
      return isVirtual ? "virtual" : "platform";
    }
  }

  private static ApplicationContextRunner application(String... properties) {
    return new ApplicationContextRunner()
        .withUserConfiguration(Shop.class)
        .withPropertyValues(
            "spring.application.name=shop", "millrace.trackers=" + tracker.address())
        .withPropertyValues(properties);
  }

  private static void assertRunsOn(String kind, String... properties) {
    application(properties)
        .run(
            context -> {
              JobClient client = context.getBean(JobClient.class);
              TriggerResult end =
                  client.await(client.submit(Job.builder("shop", "kind").build()), PATIENCE);
              assertThat(end.result()).as(end.message()).isEqualTo('"' + kind + '"');
            });
  }

  @Test
  void jobsRunOnVirtualThreadsWhereSpringBootHasThemOnAndTheJvmHasThem() {
    assertRunsOn(HAS_VIRTUAL ? "virtual" : "platform", "spring.threads.virtual.enabled=true");
  }

  @Test
  void otherwiseJobsRunOnPlatformThreads() {
    assertRunsOn("platform");
  }

  @Test
  void propertyOverridesTheSwitch() {
    assertRunsOn(
        "platform", "spring.threads.virtual.enabled=true", "millrace.worker.threads=platform");
    if (HAS_VIRTUAL) {
      assertRunsOn("virtual", "millrace.worker.threads=virtual");
    } else {
      application("millrace.worker.threads=virtual")
          .run(
              context ->
                  assertThat(context)
                      .getFailure()
                      .rootCause()
                      .hasMessageContaining("needs a JVM of version 21 or later"));
    }
  }
}
