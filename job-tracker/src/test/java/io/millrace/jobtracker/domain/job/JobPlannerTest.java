package io.millrace.jobtracker.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Duration;
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

  /** Seventy days of every second are more than are counted at once. */
  @Test
  void longPauseIsCountedExactlyInRunsThatFollowOneAnother() {
    JobPlanner planner = new JobPlanner(ZoneOffset.UTC, GenerationLimits.DEFAULT);
    long end = NOW + Duration.ofDays(70).toMillis();
    JobDefinition paused =
        new JobDefinition(
            1,
            "orders",
            "poll",
            2,
            JobState.PAUSED,
            new Schedule.Cron("* * * * * ?", null),
            new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "shop", "s-1", "client-1"),
            StoredParams.NONE,
            100,
            NOW,
            NOW,
            null,
            0,
            false);

    JobPlanner.Passed passed = planner.passed(paused, end + 1, MisfirePolicy.none(), end);

    assertThat(passed.run()).isEmpty();
    assertThat(passed.skipped()).hasSize(2);
    SkippedRange first = passed.skipped().get(0);
    SkippedRange second = passed.skipped().get(1);
    assertThat(first.from().toEpochMilli()).isEqualTo(NOW + 1_000);
    assertThat(second.from()).isEqualTo(first.to().plusSeconds(1));
    assertThat(second.to().toEpochMilli()).isEqualTo(end);
    assertThat(first.count() + second.count()).isEqualTo(Duration.ofDays(70).toSeconds());
  }
}
