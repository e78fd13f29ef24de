package io.millrace.jobtracker.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IllegalTransitionException;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TriggerCompletionTest {
  private static final Execution EXECUTION = SampleTriggers.execution(7, 2, RetryPolicy.DEFAULT);
  private static final CompletionDecision SUCCEEDED =
      CompletionDecision.end(LedgerStatus.SUCCEEDED, null);

  @Test
  void endOfAnExecutionSaysWhoRanItWhenAndForWhichAttempt() {
    LedgerEntry row =
        TriggerCompletion.of(EXECUTION, reported(Instant.ofEpochMilli(2_500)), SUCCEEDED, 3_000)
            .row();

    assertThat(row.id()).isEqualTo(7);
    assertThat(row.attempt()).isEqualTo(2);
    assertThat(row.workerId()).isEqualTo("worker-1");
    assertThat(row.times().startedAt()).isEqualTo(2_500);
    assertThat(row.times().finishedAt()).isEqualTo(3_000);
    assertThat(row.reported()).isTrue();
  }

  @Test
  void endThatTheTrackerFoundIsNotReported() {
    LedgerEntry row =
        TriggerCompletion.of(EXECUTION, new AttemptOutcome.LeaseExpired(7, 1), SUCCEEDED, 3_000)
            .row();

    assertThat(row.reported()).isFalse();
    assertThat(row.times().startedAt()).isNull();
  }

  /** A worker's clock may say anything; its result must be taken in all the same. */
  @Test
  void startThatNoLongCanHoldIsLeftOut() {
    for (Instant absurd : List.of(Instant.MAX, Instant.MIN)) {
      assertThat(
              TriggerCompletion.of(EXECUTION, reported(absurd), SUCCEEDED, 3_000)
                  .row()
                  .times()
                  .startedAt())
          .isNull();
    }
  }

  @Test
  void waitingTriggerEndsCancelledOrSkippedOnly() {
    WaitingTrigger waiting = SampleTriggers.oneShot(7, 100, 1_000);

    LedgerEntry row =
        TriggerCompletion.ofWaiting(
                9,
                "orders",
                waiting,
                SampleTriggers.SPEC,
                LedgerStatus.CANCELLED,
                Cause.of(CauseCode.CANCELLED),
                3_000)
            .row();

    assertThat(row.attempt()).as("it was never claimed").isZero();
    assertThat(row.times().claimedAt()).isNull();
    assertThatThrownBy(
            () ->
                TriggerCompletion.ofWaiting(
                    9, "orders", waiting, SampleTriggers.SPEC, LedgerStatus.SUCCEEDED, null, 3_000))
        .isInstanceOf(IllegalTransitionException.class);
  }

  @Test
  void feedbackIsTheDispositionOnceItIsThereAndWanted() {
    TriggerCompletion wanted = end(LedgerStatus.FAILED, true);

    TriggerResult told = wanted.feedback(55).orElseThrow().result();

    assertThat(told.disposition()).isEqualTo(Disposition.FAILED);
    assertThat(told.taskId()).isEqualTo("task-7");
    assertThat(wanted.feedback(55).orElseThrow().clientGroup()).isEqualTo("clients");
    assertThat(end(LedgerStatus.FAILED, false).feedback(55)).as("not asked for").isEmpty();
    assertThat(end(LedgerStatus.RETRIED, true).feedback(55)).as("lives on").isEmpty();
  }

  private static TriggerCompletion end(LedgerStatus status, boolean feedback) {
    TriggerCompletion end =
        TriggerCompletion.of(
            EXECUTION, reported(null), new CompletionDecision(status, null, 0, 0), 3_000);
    TriggerSpec spec =
        new TriggerSpec(null, RetryPolicy.DEFAULT, false, feedback, "clients", "s", "c");
    return new TriggerCompletion(end.row(), spec, end.dead());
  }

  private static AttemptOutcome reported(@Nullable Instant startedAt) {
    return new AttemptOutcome.Reported(
        new ExecutionResult(7, Outcome.SUCCESS, null, null, List.of(), startedAt, Instant.EPOCH),
        "worker-1");
  }
}
