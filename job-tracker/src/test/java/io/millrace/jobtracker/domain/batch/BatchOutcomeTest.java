package io.millrace.jobtracker.domain.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BatchOutcomeTest {

  /** What the parts before the reduce did. */
  private enum Parts {
    NONE(PartEnds.NONE),
    SUCCEEDED(new PartEnds(3, 0, 0, 0, 0)),
    SKIPPED(new PartEnds(2, 0, 0, 0, 1)),
    FAILED(new PartEnds(2, 1, 0, 0, 0)),
    DEAD(new PartEnds(2, 0, 1, 0, 0)),
    CANCELLED(new PartEnds(2, 0, 0, 1, 0)),
    DEAD_AND_FAILED(new PartEnds(0, 1, 1, 1, 0));

    private final PartEnds ends;

    Parts(PartEnds ends) {
      this.ends = ends;
    }

    private boolean hasFailure() {
      return ends.failed() + ends.dead() + ends.cancelled() > 0;
    }
  }

  private static Batch batch(
      PartEnds ends,
      int replaced,
      PartFailurePolicy policy,
      ReduceState reduce,
      @Nullable BatchStop stop) {
    PartEnds all = ends.plus(endsOf(reduce));
    PartCounts counts = new PartCounts(all.total(), all.total(), all, replaced);
    return SampleBatches.with(counts, policy, reduce, stop);
  }

  private static PartEnds endsOf(ReduceState reduce) {
    return switch (reduce) {
      case NONE, TO_COME, RELEASED -> PartEnds.NONE;
      case SUCCEEDED -> new PartEnds(1, 0, 0, 0, 0);
      case FAILED -> new PartEnds(0, 1, 0, 0, 0);
      case DEAD -> new PartEnds(0, 0, 1, 0, 0);
      case CANCELLED -> PartEnds.cancelled(1);
    };
  }

  // The rules, each alone.

  @ParameterizedTest
  @CsvSource({
    "NONE,            SUCCEEDED",
    "SUCCEEDED,       SUCCEEDED",
    "SKIPPED,         SUCCEEDED",
    "FAILED,          FAILED",
    "CANCELLED,       FAILED",
    "DEAD,            DEAD",
    "DEAD_AND_FAILED, DEAD"
  })
  void endsOfPartsDecideWithoutAReduce(Parts parts, LedgerStatus status) {
    for (PartFailurePolicy policy : List.of(PartFailurePolicy.FINISH, PartFailurePolicy.STOP)) {
      BatchOutcome outcome = outcome(batch(parts.ends, 0, policy, ReduceState.NONE, null));

      assertThat(outcome.status()).isEqualTo(status);
      assertThat(outcome.cause() == null).isEqualTo(status == LedgerStatus.SUCCEEDED);
    }
    assertThat(
            outcome(batch(parts.ends, 0, PartFailurePolicy.IGNORE, ReduceState.NONE, null))
                .status())
        .isEqualTo(LedgerStatus.SUCCEEDED);
  }

  @Test
  void causeSaysHowManyPartsFailed() {
    BatchOutcome outcome =
        outcome(
            batch(
                new PartEnds(6, 1, 1, 1, 1), 0, PartFailurePolicy.FINISH, ReduceState.NONE, null));

    assertThat(outcome.cause()).isEqualTo(Cause.of(CauseCode.PARTS_FAILED, 3, 10));
  }

  @Test
  void replayTakesThePlaceOfTheDeadPart() {
    BatchOutcome outcome =
        outcome(
            batch(
                new PartEnds(3, 0, 1, 0, 0), 1, PartFailurePolicy.FINISH, ReduceState.NONE, null));

    assertThat(outcome).isEqualTo(new BatchOutcome(LedgerStatus.SUCCEEDED, null));
  }

  @Test
  void reduceRunsAfterPartsThatSucceededAndAfterFailuresThatAreIgnored() {
    for (Parts parts : Parts.values()) {
      for (PartFailurePolicy policy : PartFailurePolicy.values()) {
        boolean runs = !parts.hasFailure() || policy == PartFailurePolicy.IGNORE;

        assertThat(BatchOutcome.of(batch(parts.ends, 0, policy, ReduceState.TO_COME, null)))
            .as("%s, %s", parts, policy)
            .matches(outcome -> outcome.isEmpty() == runs);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"SUCCEEDED, SUCCEEDED", "FAILED, FAILED", "DEAD, DEAD", "CANCELLED, FAILED"})
  void reduceDecidesIfItRan(ReduceState reduce, LedgerStatus status) {
    for (Parts parts : Parts.values()) {
      BatchOutcome outcome = outcome(batch(parts.ends, 0, PartFailurePolicy.IGNORE, reduce, null));

      assertThat(outcome.status()).as("%s", parts).isEqualTo(status);
      assertThat(outcome.cause())
          .isEqualTo(reduce == ReduceState.SUCCEEDED ? null : Cause.of(CauseCode.REDUCE_FAILED));
    }
  }

  @Test
  void cancelGoesBeforeEverythingAndTheDeadlineBeforeTheParts() {
    for (Batch batch : all(BatchStop.CANCELLED)) {
      assertThat(outcome(batch))
          .isEqualTo(
              new BatchOutcome(
                  LedgerStatus.CANCELLED, Cause.of(CauseCode.CANCELLED_WHILE_EXECUTING)));
    }
    for (Batch batch : all(BatchStop.DEADLINE)) {
      assertThat(outcome(batch))
          .isEqualTo(new BatchOutcome(LedgerStatus.DEAD, Cause.of(CauseCode.NOT_ENDED_IN_TIME)));
    }
  }

  @Test
  void terminationNamesWhoTerminated() {
    Batch open = SampleBatches.open(1);
    Batch terminated =
        new Batch(
            SampleTriggers.terminated(SampleTriggers.execution(7, 1, RetryPolicy.DEFAULT)),
            open.kind(),
            BatchState.STOPPING,
            open.counts().stopping(0),
            open.onPartFailure(),
            open.reduce(),
            open.ancestry(),
            open.openedAt(),
            null,
            BatchStop.CANCELLED,
            0,
            0);

    assertThat(outcome(terminated).cause())
        .isEqualTo(Cause.of(CauseCode.TERMINATED_BY, "ops/alice"));
  }

  // Every combination.

  static Stream<Arguments> combinations() {
    List<Arguments> combinations = new ArrayList<>();
    for (Parts parts : Parts.values()) {
      for (PartFailurePolicy policy : PartFailurePolicy.values()) {
        for (ReduceState reduce : ReduceState.values()) {
          if (reduce != ReduceState.RELEASED) {
            combinations.add(arguments(parts, policy, reduce, null));
            for (BatchStop stop : BatchStop.values()) {
              combinations.add(arguments(parts, policy, reduce, stop));
            }
          }
        }
      }
    }
    return combinations.stream();
  }

  private static List<Batch> all(BatchStop stop) {
    return combinations()
        .map(Arguments::get)
        .filter(values -> values[3] == stop)
        .map(
            values ->
                batch(
                    ((Parts) values[0]).ends,
                    0,
                    (PartFailurePolicy) values[1],
                    (ReduceState) values[2],
                    stop))
        .toList();
  }

  /** The table of the decision, written out a second time: row for row, first match wins. */
  @ParameterizedTest
  @MethodSource("combinations")
  void everyCombinationEndsAsTheTableSays(
      Parts parts, PartFailurePolicy policy, ReduceState reduce, @Nullable BatchStop stop) {
    boolean ignored = policy == PartFailurePolicy.IGNORE;
    String expected;
    if (stop == BatchStop.CANCELLED) {
      expected = "CANCELLED";
    } else if (stop == BatchStop.DEADLINE) {
      expected = "DEAD";
    } else if (!ignored && parts.ends.dead() > 0) {
      expected = "DEAD";
    } else if (!ignored && (parts.hasFailure() || stop == BatchStop.PART_FAILED)) {
      expected = "FAILED";
    } else if (reduce == ReduceState.TO_COME) {
      expected = "reduce";
    } else if (reduce == ReduceState.DEAD) {
      expected = "DEAD";
    } else if (reduce == ReduceState.FAILED || reduce == ReduceState.CANCELLED) {
      expected = "FAILED";
    } else {
      expected = "SUCCEEDED";
    }

    assertThat(
            BatchOutcome.of(batch(parts.ends, 0, policy, reduce, stop))
                .map(outcome -> outcome.status().name())
                .orElse("reduce"))
        .isEqualTo(expected);
  }

  @Test
  void batchWithPartsLeftHasNoOutcome() {
    assertThatThrownBy(() -> BatchOutcome.of(SampleBatches.open(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("batch 7 has parts that have not ended");
    assertThatThrownBy(
            () ->
                BatchOutcome.of(
                    batch(PartEnds.NONE, 0, PartFailurePolicy.FINISH, ReduceState.RELEASED, null)))
        .isInstanceOf(IllegalStateException.class);
  }

  private static BatchOutcome outcome(Batch batch) {
    return BatchOutcome.of(batch).orElseThrow();
  }
}
