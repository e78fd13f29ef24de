package io.millrace.test.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What it takes to let time pass, in tasks and steps of time, and not in seconds. */
class TimePassageTest {
  private final MemoryCluster cluster =
      new MemoryCluster(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC);

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Connects a worker, whose heartbeats and pulls are most of what there is to do. */
  private TaskTracker startWorker() {
    TaskTracker worker =
        cluster
            .conductor()
            .call(
                () -> {
                  TaskTracker built =
                      TaskTracker.builder()
                          .trackers(MemoryCluster.ADDRESS)
                          .id("worker-1")
                          .nodeGroup("reports")
                          .runner(context -> Result.success())
                          .resources(cluster.workerResources("reports", "worker-1"))
                          .build();
                  built.start();
                  return built;
                });
    cluster.admitNewcomers();
    return worker;
  }

  @Test
  void yearInWhichNothingIsPlannedTakesNoMoreStepsThanADay() {
    TaskTracker worker = startWorker();
    JobClient client = client();
    client.submit(
        Job.builder("reports", "later").at(cluster.now().plus(Duration.ofDays(700))).build());
    long ofADay = stepsOf(Duration.ofDays(1));

    long ofAYear = stepsOf(Duration.ofDays(365));

    assertThat(ofADay).isPositive();
    assertThat(ofAYear).isLessThan(2 * ofADay);
    client.close();
    worker.close();
  }

  private JobClient client() {
    return cluster
        .conductor()
        .call(
            () ->
                JobClient.builder()
                    .trackers(MemoryCluster.ADDRESS)
                    .clientGroup("test")
                    .id("client-1")
                    .resources(cluster.clientResources("test", "client-1"))
                    .build());
  }

  private long stepsOf(Duration duration) {
    long before = cluster.conductor().begun();
    Instant end = cluster.now().plus(duration);
    cluster.conductor().settle(cluster.passage(end.toEpochMilli(), false));
    assertThat(cluster.now()).isEqualTo(end);
    return cluster.conductor().begun() - before;
  }
}
