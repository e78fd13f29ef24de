package io.millrace.jobtracker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many jobs that all fire at every full second. */
class SecondLevelJobsTest {
  private static final int JOBS = 100;
  private static final int SECONDS = 80;

  @Test
  void everySecondOfEveryJobRunsOnceAndWithinItsSecond() {
    try (SimulatedCluster cluster = new SimulatedCluster(5, 0, 4, context -> Result.success())) {
      for (int i = 0; i < JOBS; i++) {
        cluster
            .client()
            .submitAsync(
                Job.builder(SimulatedCluster.GROUP, "job-" + i).cron("* * * * * ?").build());
      }
      cluster.run(Duration.ofSeconds(5));
      long begin = cluster.now().toEpochMilli() / 1_000 * 1_000;
      int rowsAhead = 0;
      for (int second = 0; second < SECONDS; second++) {
        cluster.run(Duration.ofSeconds(1));
        rowsAhead = Math.max(rowsAhead, (int) cluster.database().count("jt_waiting_orders"));
      }

      assertThat(rowsAhead).isLessThanOrEqualTo(JOBS * 61);
      long end = begin + (SECONDS - 1) * 1_000L;
      List<LedgerEntry> rows =
          cluster.ledger().stream()
              .filter(row -> row.plannedFor() > begin && row.plannedFor() <= end)
              .toList();
      List<Long> seconds =
          LongStream.rangeClosed(1, SECONDS - 1).mapToObj(s -> begin + s * 1_000).toList();
      Map<String, List<Long>> byJob =
          rows.stream()
              .collect(
                  Collectors.groupingBy(
                      row -> row.key().taskId(),
                      Collectors.mapping(LedgerEntry::plannedFor, Collectors.toList())));
      assertThat(byJob).hasSize(JOBS);
      assertThat(byJob.values())
          .allSatisfy(ran -> assertThat(ran).containsExactlyInAnyOrderElementsOf(seconds));
      assertThat(rows)
          .allSatisfy(
              row -> {
                assertThat(row.status()).isEqualTo(LedgerStatus.SUCCEEDED);
                assertThat(row.times().generatedAt()).isLessThan(row.plannedFor());
                assertThat(row.times().startedAt())
                    .isBetween(row.plannedFor(), row.plannedFor() + 999);
              });
    }
  }
}
