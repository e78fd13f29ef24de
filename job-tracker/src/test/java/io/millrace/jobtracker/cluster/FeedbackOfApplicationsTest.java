package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.internal.LogCapture;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications that share a tracker are told of their own jobs, and the log does not count it. */
@Timeout(120)
class FeedbackOfApplicationsTest {
  private static final String GROUP = "orders";
  private static final int JOBS = 40;

  @Test
  void eachApplicationIsToldOfItsOwnJobsAlone() {
    Queue<String> heardByShop = new ConcurrentLinkedQueue<>();
    Queue<String> heardByOffice = new ConcurrentLinkedQueue<>();
    try (LogCapture timers = new LogCapture(RepeatedTimer.class);
        TestDatabase database = TestDatabase.h2();
        JobTracker tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()))) {
      tracker.start();
      try (TaskTracker worker = worker(tracker);
          JobClient shop = client(tracker, "shop", heardByShop);
          JobClient office = client(tracker, "office", heardByOffice);
          JobClient nameless = JobClient.builder().trackers(tracker.address()).build()) {
        worker.start();
        nameless.submit(Job.builder(GROUP, "of-nobody").build());
        shop.submitAll(jobs("shop"));
        office.submitAll(jobs("office"));

        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> heardByShop.size() >= JOBS && heardByOffice.size() >= JOBS);
        await().until(() -> database.count("jt_feedback") == 0);
      }
      assertThat(heardByShop).hasSize(JOBS).allMatch(taskId -> taskId.startsWith("shop-"));
      assertThat(heardByOffice).hasSize(JOBS).allMatch(taskId -> taskId.startsWith("office-"));
      assertThat(timers.lines()).noneMatch(line -> line.contains("feedback"));
    }
  }

  private static TaskTracker worker(JobTracker tracker) {
    return TaskTracker.builder()
        .trackers(tracker.address())
        .nodeGroup(GROUP)
        .slots(8)
        .runner(context -> Result.success())
        .build();
  }

  private static JobClient client(JobTracker tracker, String group, Queue<String> heard) {
    JobClient client = JobClient.builder().trackers(tracker.address()).clientGroup(group).build();
    client.onResult(result -> heard.add(result.taskId()));
    return client;
  }

  private static List<Job> jobs(String of) {
    return IntStream.range(0, JOBS)
        .mapToObj(i -> Job.builder(GROUP, of + "-" + i).feedback(true).build())
        .toList();
  }
}
