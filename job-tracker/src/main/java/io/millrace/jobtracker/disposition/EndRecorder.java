package io.millrace.jobtracker.disposition;

import io.millrace.jobtracker.domain.trigger.Feedback;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.TriggerEnd;
import io.millrace.jobtracker.store.FeedbackStore;
import io.millrace.jobtracker.store.LedgerStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes ends into the ledger together with the feedback that follows from them, in the transaction
 * of the caller. Thread-safe.
 */
public final class EndRecorder {
  private final LedgerStore ledger;
  private final FeedbackStore feedback;
  private final IdSequence ids;

  public EndRecorder(LedgerStore ledger, FeedbackStore feedback, IdSequence ids) {
    this.ledger = ledger;
    this.feedback = feedback;
    this.ids = ids;
  }

  /**
   * Records ends.
   *
   * @return whether any of them is to be told to a client group
   */
  public boolean record(List<TriggerEnd> ends, long now) {
    if (ends.isEmpty()) {
      return false;
    }
    ledger.append(ends.stream().map(TriggerEnd::row).toList());
    List<Feedback> told = new ArrayList<>();
    ends.forEach(end -> end.feedback(ids.next(now)).ifPresent(told::add));
    if (!told.isEmpty()) {
      feedback.append(told);
    }
    return !told.isEmpty();
  }
}
