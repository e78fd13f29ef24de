package io.millrace.jobtracker.complete;

import io.millrace.common.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.outcome.AttemptEnd;
import io.millrace.jobtracker.domain.outcome.EndStatus;
import io.millrace.jobtracker.domain.outcome.TriggerEnd;
import io.millrace.jobtracker.domain.outcome.TriggerState;
import io.millrace.jobtracker.domain.outcome.Verdict;
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
record Ending(Execution execution, AttemptEnd end, Verdict verdict) {
  /** No body runs longer; a worker whose clock was set may say so. */
  private static final Duration LONGEST = Duration.ofDays(365);

  Ending with(Verdict other) {
    return new Ending(execution, end, other);
  }

  /** The same with the parameters of the execution as they were read. */
  Ending withParams(@Nullable String read) {
    return new Ending(execution.withParams(read), end, verdict);
  }

  /**
   * Whether a dead trigger is left, for which the parameters are kept, and they are not at hand.
   */
  boolean lacksParamsToKeep() {
    return verdict.status() == EndStatus.DEAD && execution.params().isLeftInStore();
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
    ExecutionResult result = end instanceof AttemptEnd.Reported reported ? reported.result() : null;
    if (result == null || result.startedAt() == null) {
      return OptionalLong.empty();
    }
    Duration ran = Duration.between(result.startedAt(), result.finishedAt());
    return ran.isNegative() || ran.compareTo(LONGEST) > 0
        ? OptionalLong.empty()
        : OptionalLong.of(ran.toNanos());
  }

  TriggerEnd recorded(long now) {
    TriggerState.EXECUTING.to(TriggerState.after(verdict.status()), execution.id());
    return TriggerEnd.of(execution, end, verdict, now);
  }
}
