package io.millrace.jobtracker.complete;

import io.millrace.jobtracker.domain.trigger.AttemptEnd;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerEnd;
import io.millrace.jobtracker.domain.trigger.TriggerState;
import io.millrace.jobtracker.domain.trigger.Verdict;

/**
 * An execution that ends in the transaction under way.
 *
 * @param execution as the store has it
 * @param end why it ends
 * @param verdict what becomes of its trigger
 */
record Ending(Execution execution, AttemptEnd end, Verdict verdict) {

  Ending with(Verdict other) {
    return new Ending(execution, end, other);
  }

  /** Whether the trigger has ended with it. */
  boolean isOver() {
    return !verdict.goesBack();
  }

  boolean needsItsJob() {
    return verdict.goesBack() && execution.isOfRecurringJob();
  }

  TriggerEnd recorded(long now) {
    TriggerState.EXECUTING.to(TriggerState.after(verdict.status()), execution.id());
    return TriggerEnd.of(execution, end, verdict, now);
  }
}
