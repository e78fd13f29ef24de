package io.millrace.console.api.trigger;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads waiting triggers in the order of the due index: lane, priority, due time, id. Reads one
 * range for each level, and one lookup finds the next one. Thread-safe.
 */
record WaitingOrder(WaitingStore store) {

  /** The first rows of a node group. */
  List<WaitingTrigger> first(String group, int limit) {
    return fill(group, -1, new ArrayList<>(), limit);
  }

  /** The rows after this place. */
  List<WaitingTrigger> behind(String group, int level, long dueAt, long id, int limit) {
    List<WaitingTrigger> rows = new ArrayList<>(store.readDueAt(group, level, dueAt, id, limit));
    if (rows.size() < limit) {
      rows.addAll(store.readDue(group, level, dueAt, WaitingTrigger.HELD, limit - rows.size()));
    }
    return fill(group, level, rows, limit);
  }

  private List<WaitingTrigger> fill(String group, int above, List<WaitingTrigger> rows, int limit) {
    Optional<WaitingStore.Level> level = Optional.empty();
    if (rows.size() < limit) {
      level = store.nextLevel(group, above);
    }
    while (level.isPresent()) {
      int number = level.get().number();
      rows.addAll(
          store.readDue(group, number, Long.MIN_VALUE, WaitingTrigger.HELD, limit - rows.size()));
      level = rows.size() < limit ? store.nextLevel(group, number) : Optional.empty();
    }
    return rows;
  }
}
