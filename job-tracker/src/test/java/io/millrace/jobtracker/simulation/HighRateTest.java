package io.millrace.jobtracker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HighRateTest {

  /**
   * A thousand triggers at a time last ten seconds here: less than two periods of the generator.
   */
  @Test
  void triggersOfAJobThatFiresOftenAreWrittenBeforeTheyAreDue() {
    try (SimulatedCluster cluster = new SimulatedCluster(1, 0, 2, context -> Result.success())) {
      cluster
          .client()
          .submitAsync(
              Job.builder(SimulatedCluster.GROUP, "ticks")
                  .every(Duration.ofMillis(10))
                  .times(4_000)
                  .overlap(OverlapPolicy.allow())
                  .misfire(MisfirePolicy.all().atMost(1_000))
                  .build());
      cluster.run(Duration.ofSeconds(60));

      List<LedgerEntry> rows = cluster.ledger();
      assertThat(rows).hasSize(4_000);
      assertThat(rows)
          .filteredOn(row -> row.times().generatedAt() > row.plannedFor())
          .as("written late")
          .isEmpty();
    }
  }
}
