package io.millrace.jobtracker.store.jdbc.connect;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.CommitListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rows that one transaction has written so far, to be reported once it has committed. Not
 * thread-safe.
 */
public final class WrittenRows {
  private record Inserted(String nodeGroup, List<WaitingTrigger> rows) {}

  private final List<Inserted> inserted = new ArrayList<>(1);
  private final List<List<LedgerEntry>> ended = new ArrayList<>(1);
  private final Set<Long> takenBack = new HashSet<>(0);

  WrittenRows() {}

  /** Rows were inserted into the waiting table of a node group. */
  public void inserted(String nodeGroup, List<WaitingTrigger> rows) {
    inserted.add(new Inserted(nodeGroup, rows));
  }

  /** Waiting rows were deleted; some may have been inserted in the same transaction. */
  public void deleted(Collection<Long> ids) {
    if (!inserted.isEmpty()) {
      takenBack.addAll(ids);
    }
  }

  /** Rows were added to the ledger. */
  public void ended(List<LedgerEntry> rows) {
    ended.add(rows);
  }

  /** Reports the rows to the listeners, once: the rows are no longer held then. */
  void reportTo(List<CommitListener> listeners) {
    listeners.forEach(this::report);
    inserted.clear();
    ended.clear();
  }

  private void report(CommitListener listener) {
    for (Inserted one : inserted) {
      long planned = one.rows().stream().filter(this::isNew).count();
      if (planned > 0) {
        listener.planned(one.nodeGroup(), planned);
      }
    }
    for (List<LedgerEntry> rows : ended) {
      rows.forEach(listener::ended);
    }
  }

  /** A row for a trigger that comes back, or that is held until its turn, is no new trigger. */
  private boolean isNew(WaitingTrigger row) {
    return !row.begun() && !row.isHeld() && !takenBack.contains(row.id());
  }
}
