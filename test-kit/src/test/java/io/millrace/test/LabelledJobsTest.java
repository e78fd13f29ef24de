package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that require labels of a worker, or prefer one by a key. */
@MillraceTest
class LabelledJobsTest {
  private static final RetryPolicy SOON =
      new RetryPolicy(1, Duration.ofSeconds(10), Duration.ofSeconds(10), 1, 0, List.of());

  private static void startWorkers(TestMillrace millrace) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success("plain")));
    millrace.worker(
        "orders", worker -> worker.labels("gpu").runner(context -> Result.success("gpu")));
  }

  @Test
  void jobRunsOnAWorkerThatHasItsLabels(TestMillrace millrace, JobClient client) {
    startWorkers(millrace);
    client.submit(Job.builder("orders", "draw").on("gpu").build());
    client.submit(Job.builder("orders", "draw-tiles").on("gpu").shards(3).build());
    client.submit(Job.builder("orders", "add").build());

    millrace.runDue();

    millrace.runs("orders", "draw").hasSucceeded(1).hasMessage("gpu");
    assertThat(millrace.runs("orders", "draw-tiles").hasPartsSucceeded(3).last().parts())
        .extracting(JobPart::message)
        .containsOnly("gpu");
    millrace.runs("orders", "add").hasSucceeded(1);
  }

  @Test
  void jobWaitsForAWorkerThatHasItsLabels(TestMillrace millrace, JobClient client) {
    startWorkers(millrace);
    client.submit(Job.builder("orders", "fly").on("wings").build());

    millrace.advance(Duration.ofHours(1));
    millrace.runs("orders", "fly").hasNotRun();

    millrace.worker(
        "orders", worker -> worker.labels("wings").runner(context -> Result.success("wings")));
    millrace.runDue();
    millrace.runs("orders", "fly").hasSucceeded(1).hasMessage("wings");
  }

  @Test
  void jobsOfAKeyRunOnOneWorker(TestMillrace millrace, JobClient client) {
    startWorkers(millrace);
    for (int n = 0; n < 5; n++) {
      client.submit(Job.builder("orders", "bill-" + n).stickTo("customer-7").retry(SOON).build());
      millrace.runDue();
    }

    String worker = millrace.runs("orders", "bill-0").last().attempts().get(0).workerId();
    for (int n = 1; n < 5; n++) {
      assertThat(millrace.runs("orders", "bill-" + n).hasSucceeded(1).last().attempts())
          .extracting(JobAttempt::workerId)
          .containsExactly(worker);
    }
  }
}
