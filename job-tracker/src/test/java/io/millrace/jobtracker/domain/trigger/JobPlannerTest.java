package io.millrace.jobtracker.domain.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.Schedule;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class JobPlannerTest {
  private static final long NOW = Instant.parse("2026-11-21T00:00:00Z").toEpochMilli();

  @Test
  void chainedJobWhoseLastFireTimePassesBeforeItIsStoredIsLookedAtAgain() {
    JobPlanner planner = new JobPlanner(ZoneOffset.UTC, GenerationLimits.DEFAULT);
    JobDefinition over =
        new JobDefinition(
            1,
            "orders",
            "report",
            1,
            JobState.ACTIVE,
            new Schedule.Cron("0 0 0 1 1 ? 2020", null),
            new TriggerSpec(null, RetryPolicy.DEFAULT, true, false, "shop", "s-1", "client-1"),
            StoredParams.NONE,
            100,
            NOW,
            NOW - 1,
            null,
            0,
            false);

    JobDefinition stored = planner.first(over, NOW).advanced();

    assertThat(stored.exhausted()).isTrue();
    assertThat(stored.generateAt()).isNotNull().isGreaterThan(NOW);
  }
}
