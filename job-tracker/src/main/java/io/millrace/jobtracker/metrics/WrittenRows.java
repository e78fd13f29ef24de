package io.millrace.jobtracker.metrics;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rows that one transaction has written so far. Not thread-safe. */
final class WrittenRows {
  private record Inserted(String nodeGroup, List<WaitingTrigger> rows) {}

  private final List<Inserted> inserted = new ArrayList<>(1);
  private final List<List<LedgerEntry>> ended = new ArrayList<>(1);
  private final Set<Object> takenBack = new HashSet<>(0);

  void inserted(String nodeGroup, List<WaitingTrigger> rows) {
    inserted.add(new Inserted(nodeGroup, rows));
  }

  /** The ids may include rows that were inserted earlier in the same transaction. */
  void deleted(Collection<?> ids) {
    if (!inserted.isEmpty()) {
      takenBack.addAll(ids);
    }
  }

  void ended(List<LedgerEntry> rows) {
    ended.add(rows);
  }

  void count(CommittedRows.Counting counting) {
    for (Inserted one : inserted) {
      long planned = one.rows().stream().filter(this::isNew).count();
      if (planned > 0) {
        counting.planned(one.nodeGroup(), planned);
      }
    }
    for (List<LedgerEntry> rows : ended) {
      rows.forEach(counting::ended);
    }
  }

  /** A row for a trigger that comes back, or that is held until its turn, is no new trigger. */
  private boolean isNew(WaitingTrigger row) {
    return !row.begun() && !row.isHeld() && !takenBack.contains(row.id());
  }
}
