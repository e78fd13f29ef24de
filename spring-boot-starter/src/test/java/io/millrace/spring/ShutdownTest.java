package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.JobContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that stops in the middle of a job. */
class ShutdownTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private TestTracker tracker;

  @BeforeEach
  void start() {
    tracker = TestTracker.start();
  }

  @AfterEach
  void close() {
    tracker.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @RestController
  static class Shop implements ApplicationListener<ContextClosedEvent> {
    final Map<String, Object> seen = new ConcurrentHashMap<>();
    final CountDownLatch running = new CountDownLatch(1);
    final CountDownLatch closing = new CountDownLatch(1);
    final CountDownLatch never = new CountDownLatch(1);

    @Autowired private JdbcTemplate database;
    @Autowired private JobClient client;
    @Autowired private Environment environment;

    @GetMapping("/ping")
    String ping() {
      return "pong";
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
      closing.countDown();
    }

    @MillraceJob("long")
    void runWhileTheApplicationStops() throws Exception {
      running.countDown();
      assertThat(closing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      int port = environment.getRequiredProperty("local.server.port", int.class);
      seen.put("web", Http.get(port, "/ping").body());
      seen.put("database", database.queryForObject("select 7", Integer.class));
      seen.put("submit", client.submit(Job.builder("shop", "next").build()).isStored());
      seen.put("end", true);
    }

    /** The first time without an end, the second time at once. */
    @MillraceJob("endless")
    String runUntilItIsInterrupted(JobContext context) throws InterruptedException {
      if (environment.getProperty("shop.again") != null) {
        return "attempt " + context.attempt();
      }
      running.countDown();
      try {
        never.await();
      } catch (InterruptedException stopped) {
        seen.put("interrupted", true);
        throw stopped;
      }
      return "never";
    }
  }

  private ConfigurableApplicationContext run(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--spring.application.name=shop",
                "--millrace.trackers=" + tracker.address()));
    arguments.addAll(Arrays.asList(more));
    return SpringApplication.run(Shop.class, arguments.toArray(String[]::new));
  }

  private static Job job(String handler) {
    return Job.builder("shop", handler).handler(handler).build();
  }

  private record Stopped(Shop shop, SubmitResult submitted) {}

  /** Stops an application while it runs a job. */
  private Stopped stopDuring(Job job, String... properties) throws InterruptedException {
    try (ConfigurableApplicationContext application = run(properties)) {
      Shop shop = application.getBean(Shop.class);
      SubmitResult submitted = application.getBean(JobClient.class).submit(job);
      assertThat(shop.running.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return new Stopped(shop, submitted);
    }
  }

  private static void assertJobEndedBeforeTheOthersStopped(Stopped stopped) {
    assertThat(stopped.shop().seen)
        .containsEntry("web", "pong")
        .containsEntry("database", 7)
        .containsEntry("submit", true)
        .containsEntry("end", true);
  }

  @Test
  void jobEndsWithWebServerAndDatabaseAndClientBeforeTheyStop() throws Exception {
    assertJobEndedBeforeTheOthersStopped(stopDuring(job("long")));
  }

  /** The time for a phase is over long before the job has ended. */
  @Test
  void graceThatIsLongerThanAPhaseIsWaitedForInFull() throws Exception {
    assertJobEndedBeforeTheOthersStopped(
        stopDuring(
            job("long"),
            "--spring.lifecycle.timeout-per-shutdown-phase=1ms",
            "--millrace.worker.shutdown-grace=20s"));
  }

  @Test
  void jobThatOutlastsTheGraceIsInterruptedAndRunsElsewhereWithoutLosingAnAttempt()
      throws Exception {
    Stopped first = stopDuring(job("endless"), "--millrace.worker.shutdown-grace=0s");
    assertThat(first.shop().seen).containsEntry("interrupted", true);

    try (ConfigurableApplicationContext second = run("--shop.again=true")) {
      TriggerResult end = second.getBean(JobClient.class).await(first.submitted(), PATIENCE);
      assertThat(end.result()).as(end.message()).isEqualTo("\"attempt 1\"");
    }
  }
}
