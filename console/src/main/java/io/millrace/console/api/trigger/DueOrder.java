package io.millrace.console.api.trigger;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.DuePlace;
import io.millrace.jobtracker.store.WaitingStore.Level;
import io.millrace.jobtracker.store.order.Direction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads waiting triggers in order of due time and id, over all lanes and priorities. The due index
 * has this order within each of them, so their rows are merged. A page reads about as many rows as
 * it has, and one more of each lane and priority, however many wait. Thread-safe.
 */
record DueOrder(WaitingStore store, Direction direction) {

  /** The rows behind a place. */
  List<WaitingTrigger> behind(String group, DuePlace place, int limit) {
    List<Integer> levels = levels(group);
    int atOnce = limit / Math.max(1, levels.size()) + 1;
    PriorityQueue<Rows> merged = new PriorityQueue<>();
    for (int level : levels) {
      Rows rows = new Rows(group, level, place, atOnce);
      if (rows.first() != null) {
        merged.add(rows);
      }
    }
    List<WaitingTrigger> page = new ArrayList<>();
    while (page.size() < limit && !merged.isEmpty()) {
      Rows next = merged.remove();
      page.add(next.take());
      if (next.first() != null) {
        merged.add(next);
      }
    }
    return page;
  }

  private List<Integer> levels(String group) {
    List<Integer> levels = new ArrayList<>();
    Optional<Level> level = store.nextLevel(group, -1);
    while (level.isPresent()) {
      levels.add(level.get().number());
      level = store.nextLevel(group, level.get().number());
    }
    return levels;
  }

  private Comparator<WaitingTrigger> order() {
    Comparator<WaitingTrigger> ascending =
        Comparator.comparingLong(WaitingTrigger::dueAt).thenComparing(WaitingTrigger::id);
    return direction == Direction.ASCENDING ? ascending : ascending.reversed();
  }

  /** The rows of one lane and priority, some at a time; compared by the first of them. */
  private final class Rows implements Comparable<Rows> {
    private final String group;
    private final int level;
    private final int atOnce;
    private final Deque<WaitingTrigger> read = new ArrayDeque<>();
    private DuePlace place;
    private boolean atEnd;

    Rows(String group, int level, DuePlace place, int atOnce) {
      this.group = group;
      this.level = level;
      this.place = place;
      this.atOnce = atOnce;
      readOn();
    }

    private void readOn() {
      List<WaitingTrigger> rows = store.readByDue(group, level, direction, place, atOnce);
      read.addAll(rows);
      atEnd = rows.size() < atOnce;
    }

    @Nullable WaitingTrigger first() {
      return read.peek();
    }

    WaitingTrigger take() {
      WaitingTrigger row = read.remove();
      if (read.isEmpty() && !atEnd) {
        place = new DuePlace(row.dueAt(), row.id());
        readOn();
      }
      return row;
    }

    @Override
    public int compareTo(Rows other) {
      return order().compare(read.element(), other.read.element());
    }
  }
}
