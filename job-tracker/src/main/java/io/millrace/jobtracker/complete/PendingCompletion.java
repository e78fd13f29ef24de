package io.millrace.jobtracker.complete;

import io.millrace.common.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.outcome.CompletionDecision;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.outcome.TriggerState;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An execution that ends in the transaction under way.
 *
 * @param execution as the store has it
 * @param end why it ends
 * @param verdict what becomes of its trigger
 */
record PendingCompletion(Execution execution, AttemptOutcome end, CompletionDecision verdict) {
  /** No body runs longer; a worker whose clock was set may say so. */
  private static final Duration LONGEST = Duration.ofDays(365);

  PendingCompletion with(CompletionDecision other) {
    return new PendingCompletion(execution, end, other);
  }

  /** The same with the parameters of the execution as they were read. */
  PendingCompletion withParams(@Nullable String read) {
    return new PendingCompletion(execution.withParams(read), end, verdict);
  }

  /**
   * Whether a dead trigger is left, for which the parameters are kept, and they are not at hand.
   */
  boolean lacksParamsToKeep() {
    return verdict.status() == LedgerStatus.DEAD && execution.params().isLeftInStore();
  }

  /** Whether the trigger has ended with it. */
  boolean isOver() {
    return !verdict.goesBack();
  }

  boolean needsItsJob() {
    return verdict.goesBack() && execution.isOfRecurringJob();
  }

  /** How long the body ran, by the clock of its worker; empty if it never began. */
  OptionalLong runNanos() {
    ExecutionResult result =
        end instanceof AttemptOutcome.Reported reported ? reported.result() : null;
    if (result == null || result.startedAt() == null) {
      return OptionalLong.empty();
    }
    Duration ran = Duration.between(result.startedAt(), result.finishedAt());
    return ran.isNegative() || ran.compareTo(LONGEST) > 0
        ? OptionalLong.empty()
        : OptionalLong.of(ran.toNanos());
  }

  TriggerCompletion recorded(long now) {
    TriggerState.EXECUTING.to(TriggerState.after(verdict.status()), execution.id());
    return TriggerCompletion.of(execution, end, verdict, now);
  }
}
