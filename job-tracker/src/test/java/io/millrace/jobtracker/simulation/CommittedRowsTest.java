package io.millrace.jobtracker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a tracker has committed itself it hands out without reading it back. */
class CommittedRowsTest {
  private static final int JOBS = 50;

  /** The next such load is ten seconds away. */
  private static final Duration UNTIL_A_TIMER_HAS_LOADED = Duration.ofSeconds(6);

  @Test
  void submittedJobsTheirRetriesAndTheNextOfAChainRunWithoutALoad() {
    Map<String, Integer> runs = new HashMap<>();
    try (SimulatedCluster cluster =
        new SimulatedCluster(
            5,
            0,
            3,
            context -> {
              if (runs.merge(context.taskId(), 1, Integer::sum) == 1) {
                throw new IllegalStateException("not yet");
              }
              return Result.success();
            })) {
      CompletableFuture<?> first = cluster.client().submitAsync(job("first"));
      cluster.run(UNTIL_A_TIMER_HAS_LOADED);
      assertThat(first).isCompleted();
      assertThat(runs).containsEntry("first", 2);
      cluster.reads().reset();

      IntStream.range(0, JOBS).forEach(i -> cluster.client().submitAsync(job("job-" + i)));
      cluster
          .client()
          .submitAsync(
              Job.builder(SimulatedCluster.GROUP, "chain")
                  .fixedDelay(Duration.ofMillis(500))
                  .times(4)
                  .retry(retryIn(Duration.ofMillis(300)))
                  .build());
      cluster.run(Duration.ofMillis(3_500));

      assertThat(cluster.ledger().stream().filter(row -> row.status() == LedgerStatus.SUCCEEDED))
          .hasSize(1 + JOBS + 4);
      assertThat(cluster.reads().statements()).as("loads").isZero();
    }
  }

  private static Job job(String taskId) {
    return Job.builder(SimulatedCluster.GROUP, taskId)
        .retry(retryIn(Duration.ofMillis(400)))
        .build();
  }

  private static RetryPolicy retryIn(Duration delay) {
    return RetryPolicy.retries(1).withDelays(delay, delay);
  }
}
