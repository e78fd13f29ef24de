package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.JobStatus;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Shard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Recurring jobs that an application declares. */
@ExtendWith(OutputCaptureExtension.class)
class RecurringJobsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class First {
    static final BlockingQueue<String> RUN = new LinkedBlockingQueue<>();

    @MillraceJob("poll")
    @Recurring(every = "${poll.every}")
    void poll() {
      RUN.add("poll");
    }

    @MillraceJob("clean")
    @Recurring(
        id = "cleaning",
        fixedDelay = "100ms",
        retries = 0,
        timeout = "1m",
        shards = 2,
        onPartFailure = PartFailurePolicy.IGNORE,
        within = "1h",
        on = "${clean.on:}")
    void clean(JobContext context) {
      Shard shard = context.shard();
      RUN.add("clean");
      RUN.add("shard %d of %d".formatted(shard.index(), shard.count()));
    }

    @MillraceJob("reload")
    @Recurring(every = "100ms", broadcast = true, onWorkerLost = WorkerLossPolicy.DEAD)
    void reload(JobContext context) {
      Shard shard = context.shard();
      RUN.add("worker %d of %d".formatted(shard.index(), shard.count()));
    }

    @MillraceJob("report")
    @Recurring(cron = "0 30 2 * * ?", zone = "America/New_York", priority = 10)
    void report() {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Second {
    @MillraceJob("report")
    @Recurring(cron = "0 45 2 * * ?", zone = "America/New_York")
    void report() {}
  }

  @BeforeEach
  void forget() {
    First.RUN.clear();
  }

  private static ConfigurableApplicationContext run(
      Class<?> version, String tracker, int revision) {
    return run(new SpringApplication(version), tracker, revision);
  }

  private static ConfigurableApplicationContext run(
      SpringApplication application, String tracker, int revision) {
    application.setWebApplicationType(WebApplicationType.NONE);
    return application.run(
        "--spring.application.name=shop",
        "--poll.every=100ms",
        "--millrace.client.request-timeout=2s",
        "--millrace.worker.labels=disk",
        "--clean.on=disk",
        "--millrace.declarations.revision=" + revision,
        "--millrace.trackers=" + tracker);
  }

  @Test
  void jobsAreDeclaredRunAndFollowTheNextVersion(CapturedOutput output) throws Exception {
    try (TestTracker tracker = TestTracker.start()) {
      try (ConfigurableApplicationContext application = run(First.class, tracker.address(), 1)) {
        assertRun("poll");
        assertRun("clean");
        awaitLine(output, "recurring job shop/report: ADDED");
        assertThat(output).contains("recurring job shop/cleaning: ADDED");
        assertRun("shard 0 of 2");
        assertRun("shard 1 of 2");
        assertRun("worker 0 of 1");
        application.getBean(JobClient.class).pause("shop", "report", "not before the audit");
      }
      try (ConfigurableApplicationContext application = run(Second.class, tracker.address(), 2)) {
        awaitLine(output, "recurring job shop/report: CHANGED");
        awaitLine(output, "recurring job shop/poll: RETIRED");
        awaitLine(output, "recurring job shop/cleaning: RETIRED");
        assertThat(state(application, "report")).isEqualTo(JobStatus.State.PAUSED);
      }
      try (ConfigurableApplicationContext application = run(First.class, tracker.address(), 1)) {
        awaitLine(output, "the recurring jobs of shop at revision 1 are OUTDATED");
      }
    }
  }

  @Test
  void beansThatAreCreatedLateHideNoHandlerAndNoRecurringJob() throws Exception {
    SpringApplication lazy = new SpringApplication(First.class);
    lazy.setLazyInitialization(true);
    try (TestTracker tracker = TestTracker.start();
        ConfigurableApplicationContext application = run(lazy, tracker.address(), 1)) {
      assertRun("poll");
      assertRun("clean");
    }
  }

  private static JobStatus.State state(ConfigurableApplicationContext application, String id) {
    return application.getBean(JobClient.class).status("shop", id).state();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithoutRecurringJobs {
    @MillraceJob("once")
    void once() {}
  }

  @Test
  void applicationWithoutAnyRecurringJobCancelsNone(CapturedOutput output) {
    try (TestTracker tracker = TestTracker.start()) {
      try (ConfigurableApplicationContext application = run(Second.class, tracker.address(), 1)) {
        awaitLine(output, "recurring job shop/report: ADDED");
      }
      try (ConfigurableApplicationContext application =
          run(WithoutRecurringJobs.class, tracker.address(), 2)) {
        JobClient client = application.getBean(JobClient.class);
        client.await(client.submit(Job.builder("shop", "once").handler("once").build()), PATIENCE);
        assertThat(state(application, "report")).isEqualTo(JobStatus.State.ACTIVE);
      }
      assertThat(output).doesNotContain("RETIRED");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithWrongCron {
    @MillraceJob("wrong")
    @Recurring(cron = "0 61 2 * * ?")
    void wrong() {}

    @MillraceJob("right")
    @Recurring(cron = "0 30 2 * * ?")
    void right() {}
  }

  /** Only a tracker reads cron expressions. */
  @Test
  void wrongCronIsNamedInTheLogAndTheOtherJobsAreDeclared(CapturedOutput output) {
    try (TestTracker tracker = TestTracker.start();
        ConfigurableApplicationContext application =
            run(WithWrongCron.class, tracker.address(), 1)) {
      awaitLine(output, "recurring job shop/right: ADDED");
      awaitLine(output, "recurring job shop/wrong is not declared: ");
      assertThat(output.toString().lines().filter(line -> line.contains("shop/wrong is not")))
          .singleElement()
          .asString()
          .contains("ERROR", "61");
    }
  }

  @Test
  void declarationIsRepeatedUntilATrackerAnswers(CapturedOutput output) throws Exception {
    int port = freePort();
    try (ConfigurableApplicationContext application = run(First.class, "127.0.0.1:" + port, 1)) {
      awaitLine(output, "the recurring jobs of shop are not declared yet, again in PT1S");
      try (TestTracker tracker = TestTracker.start(port)) {
        assertRun("poll");
        assertThat(application.getBean(JobClient.class).explain("shop", "poll").toString())
            .contains("shop");
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void assertRun(String what) throws InterruptedException {
    String run;
    do {
      run = First.RUN.poll(20, TimeUnit.SECONDS);
      assertThat(run).as("a run of " + what).isNotNull();
    } while (!run.equals(what));
  }

  static void awaitLine(CapturedOutput output, String line) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(output).contains(line));
  }
}
