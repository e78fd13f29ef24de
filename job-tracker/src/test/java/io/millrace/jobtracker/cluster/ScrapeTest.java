package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an operator sees of a tracker by its scrape alone. */
class ScrapeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String GROUP = "{group=\"orders\"} ";

  @Test
  void scrapeShowsTheBacklogTheSlotsAndWhatRuns() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    try (TestDatabase database = TestDatabase.h2();
        JobTracker tracker = JobTracker.create(config(database))) {
      tracker.start();
      submit(tracker, 25);
      awaitScrape(tracker.metrics(), "millrace_backlog" + GROUP + "25.0");
      assertThat(tracker.metrics().scrape())
          .contains("millrace_triggers_planned_total" + GROUP + "25.0")
          .contains("millrace_workers" + GROUP + "0.0")
          .contains("millrace_tracker_groups 1.0");

      try (TaskTracker worker = worker(tracker, 30, release)) {
        worker.start();
        awaitScrape(
            tracker.metrics(),
            "millrace_executions_running" + GROUP + "25.0",
            "millrace_slots_free" + GROUP + "5.0",
            "millrace_workers" + GROUP + "1.0",
            "millrace_backlog" + GROUP + "0.0",
            "millrace_backlog_oldest_age_seconds" + GROUP + "0.0",
            "millrace_lateness_seconds_count" + GROUP + "25");
        release.countDown();
        awaitScrape(
            tracker.metrics(),
            "millrace_executions_running" + GROUP + "0.0",
            "millrace_triggers_ended_total{group=\"orders\",outcome=\"succeeded\"} 25.0");
      }
    }
  }

  /** The tables are gone with it: whoever asked them for anything would fail. */
  @Test
  void scrapeIsAnsweredWithoutTheDatabase() {
    TestDatabase database = TestDatabase.h2();
    try (JobTracker tracker = JobTracker.create(config(database))) {
      tracker.start();
      submit(tracker, 3);
      awaitScrape(tracker.metrics(), "millrace_backlog" + GROUP + "3.0");

      database.close();

      assertThat(tracker.metrics().scrape()).contains("millrace_backlog" + GROUP + "3.0");
    }
  }

  private static JobTrackerConfig config(TestDatabase database) {
    return JobTrackerConfig.local(0, database.config())
        .serving(
            ServiceConfig.DEFAULT.reporting(
                new ServiceConfig.Reports(Duration.ofMillis(200), Duration.ofSeconds(3))));
  }

  private static void submit(JobTracker tracker, int jobs) {
    try (JobClient client = JobClient.builder().trackers(tracker.address()).build()) {
      client.submitAll(
          IntStream.range(0, jobs)
              .mapToObj(i -> Job.builder("orders", "task-" + i).build())
              .toList());
    }
  }

  private static TaskTracker worker(JobTracker tracker, int slots, CountDownLatch release) {
    return TaskTracker.builder()
        .trackers(tracker.address())
        .nodeGroup("orders")
        .slots(slots)
        .prefetch(0)
        .runner(
            context -> {
              release.await();
              return Result.success();
            })
        .build();
  }

  private static void awaitScrape(TrackerMetrics metrics, String... lines) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(metrics.scrape()).contains(lines));
  }
}
