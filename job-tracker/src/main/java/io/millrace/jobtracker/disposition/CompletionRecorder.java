package io.millrace.jobtracker.disposition;

import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.result.JobResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes ends into the ledger, together with their feedback, results and dead triggers, in the
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
    List<JobResult> results = new ArrayList<>();
    for (TriggerCompletion end : ends) {
      end.feedback(ids.next(now)).ifPresent(feedback::add);
      if (end.dead() != null) {
        dead.add(end.dead());
      }
      if (end.result() != null) {
        results.add(new JobResult(end.row().id(), end.row().times().finishedAt(), end.result()));
      }
    }
    if (!feedback.isEmpty()) {
      stores.feedback().append(feedback);
    }
    if (!dead.isEmpty()) {
      stores.dead().append(dead);
    }
    if (!results.isEmpty()) {
      stores.results().append(results);
    }
    return !feedback.isEmpty();
  }
}
