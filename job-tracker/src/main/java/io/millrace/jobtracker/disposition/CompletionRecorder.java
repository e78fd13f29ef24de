package io.millrace.jobtracker.disposition;

import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes ends into the ledger, together with their feedback and their dead triggers, in the
 * transaction of the caller. Thread-safe.
 */
public final class CompletionRecorder {
  private final Stores stores;
  private final IdSequence ids;

  public CompletionRecorder(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.ids = ids;
  }

  /**
   * Records ends.
   *
   * @return whether there is feedback to push
   */
  public boolean record(List<TriggerCompletion> ends, long now) {
    if (ends.isEmpty()) {
      return false;
    }
    stores.ledger().append(ends.stream().map(TriggerCompletion::row).toList());
    List<Feedback> feedback = new ArrayList<>();
    List<DeadTrigger> dead = new ArrayList<>();
    for (TriggerCompletion end : ends) {
      end.feedback(ids.next(now)).ifPresent(feedback::add);
      if (end.dead() != null) {
        dead.add(end.dead());
      }
    }
    if (!feedback.isEmpty()) {
      stores.feedback().append(feedback);
    }
    if (!dead.isEmpty()) {
      stores.dead().append(dead);
    }
    return !feedback.isEmpty();
  }
}
