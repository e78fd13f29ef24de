package io.millrace.jobtracker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What meters count is counted for the minutes too. */
class CountsOfGroupsTest {
  private static final long NOW = 1_800_000_000_000L;

  private final TrackerMetrics metrics = TrackerMetrics.own();

  @AfterEach
  void close() {
    metrics.close();
  }

  private static Assignment dueAt(long millis) {
    return new Assignment(
        1,
        "orders",
        "a",
        Instant.ofEpochMilli(millis),
        0,
        Instant.ofEpochMilli(millis),
        1,
        1,
        null,
        Map.of(),
        null,
        null);
  }

  private static LedgerEntry ended(LedgerStatus status, long instants) {
    return new LedgerEntry(
        1,
        "orders",
        new TriggerCore(TriggerKey.oneShot("a"), 1, 0, 1, 1),
        status,
        true,
        null,
        1,
        instants,
        new Times(1, 1, null, null, 1),
        null,
        null,
        new Origin(null, null, null, null, null));
  }

  private Counts counts() {
    return metrics.takeCounts().get("orders");
  }

  @Test
  void everyKindOfEndIsCounted() {
    for (LedgerStatus status : LedgerStatus.values()) {
      metrics.ended(ended(status, 1));
    }
    metrics.ended(ended(LedgerStatus.SKIPPED, 40));

    assertThat(counts())
        .isEqualTo(
            new Counts(
                Map.of(
                    Of.SUCCEEDED,
                    1L,
                    Of.FAILED,
                    1L,
                    Of.DEAD,
                    1L,
                    Of.CANCELLED,
                    1L,
                    Of.SKIPPED,
                    41L,
                    Of.RETRIED,
                    1L,
                    Of.RESCUED,
                    1L,
                    Of.GIVEN_BACK,
                    2L)));
  }

  @Test
  void latenessIsSummedAndPutOnAScale() {
    List<Assignment> assignments =
        LongStream.of(-5, 0, 100, 101, 1_000, 1_001, 10_000, 10_001, 60_000, 60_001)
            .mapToObj(late -> dueAt(NOW - late))
            .toList();
    metrics.handedOut("orders", assignments, NOW);
    metrics.handedOut("orders", List.of(dueAt(NOW - 7)), NOW);

    Counts counts = counts();
    assertThat(counts)
        .isEqualTo(
            new Counts(
                Map.of(
                    Of.STARTED,
                    11L,
                    Of.LATE_SUM,
                    142_211L,
                    Of.LATE_MAX,
                    60_001L,
                    Of.LATE_100MS,
                    4L,
                    Of.LATE_1S,
                    2L,
                    Of.LATE_10S,
                    2L,
                    Of.LATE_60S,
                    2L)));
    assertThat(counts().get(Of.LATE_MAX)).as("since the last time").isZero();
    assertThat(counts().get(Of.STARTED)).as("since the beginning").isEqualTo(11);
  }

  @Test
  void whatIsPlannedClaimedAndRunIsCounted() {
    metrics.planned("orders", 4);
    metrics.claimed("orders", 3);
    metrics.ran("orders", "close", 2_600_000);
    metrics.ran("orders", null, 1_000_000);
    metrics.claimed("bills", 1);

    assertThat(metrics.takeCounts())
        .isEqualTo(
            Map.of(
                "orders",
                new Counts(Map.of(Of.PLANNED, 4L, Of.CLAIMED, 3L, Of.RAN, 2L, Of.RUN_SUM, 3L)),
                "bills",
                new Counts(Map.of(Of.CLAIMED, 1L))));
  }
}
