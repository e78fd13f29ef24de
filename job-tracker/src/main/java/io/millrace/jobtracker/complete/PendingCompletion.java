package io.millrace.jobtracker.complete;

import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.outcome.CompletionDecision;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
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
 * @param execution the execution as stored
 * @param end the reason for the end
 * @param verdict the decision on the execution's trigger
 */
record PendingCompletion(Execution execution, AttemptOutcome end, CompletionDecision verdict) {
  /**
   * The longest credible run of an invocation; a worker whose clock was changed may report a longer
   * one.
   */
  private static final Duration LONGEST = Duration.ofDays(365);

  PendingCompletion with(CompletionDecision other) {
    return new PendingCompletion(execution, end, other);
  }

  /** Returns a copy with the parameters of the execution that were read from the store. */
  PendingCompletion withParams(@Nullable String read) {
    return new PendingCompletion(execution.withParams(read), end, verdict);
  }

  /** Whether the trigger is dead, so that its parameters are kept, but they are not in memory. */
  boolean lacksParamsToKeep() {
    return verdict.status() == LedgerStatus.DEAD && execution.params().isLeftInStore();
  }

  /** Whether the run is split into the parts that the attempt has stored, and goes on. */
  boolean splits() {
    return verdict.status() == LedgerStatus.SUCCEEDED && end.staged() != null;
  }

  /** Whether the trigger ends with this execution. */
  boolean isOver() {
    return !verdict.goesBack() && !splits();
  }

  /** What its job returned, as JSON; null if nothing, or if it did not succeed. */
  @Nullable String result() {
    return verdict.status() == LedgerStatus.SUCCEEDED
            && end instanceof AttemptOutcome.Reported reported
        ? reported.result().result()
        : null;
  }

  /** The same execution, whose attempt has failed after all, with the decision on that. */
  PendingCompletion failed(String why, CompletionRules rules, long now) {
    if (!(end instanceof AttemptOutcome.Reported reported)) {
      throw new IllegalStateException("nobody reported the end of execution " + execution.id());
    }
    AttemptOutcome failure = ReportedResult.failed(reported, why);
    return new PendingCompletion(execution, failure, rules.decide(execution, failure, now));
  }

  /** Whether its run kept values that nobody needs any more; a dead one's are for its replay. */
  boolean dropsKept() {
    return isOver()
        && verdict.status() != LedgerStatus.DEAD
        && end instanceof AttemptOutcome.Reported reported
        && reported.result().kept();
  }

  /** The bytes of what its job returned; 0 if nothing. */
  long resultBytes() {
    return end instanceof AttemptOutcome.Reported reported
        ? KeepRequest.bytesOf(reported.result().result())
        : 0;
  }

  boolean needsItsJob() {
    return verdict.goesBack() && execution.isOfRecurringJob();
  }

  /**
   * How long the invocation ran, by its worker's clock; empty if it never began, or if the duration
   * is negative or longer than 365 days.
   */
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
