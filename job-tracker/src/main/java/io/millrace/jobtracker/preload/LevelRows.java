package io.millrace.jobtracker.preload;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore;
import java.util.List;

/**
 * The first rows of one priority up to the look-ahead, as far as they have been read: due ones
 * first, then those ahead, each in order of due time. Reads further when it is asked to. Not
 * thread-safe.
 */
final class LevelRows {
  /** A read that was too short is repeated with so many times as many rows. */
  private static final int GROWTH = 4;

  private final WaitingStore waiting;
  private final String group;
  private final int priority;
  private final long now;
  private final long horizon;
  private int limit;
  private List<WaitingTrigger> due = List.of();
  private List<WaitingTrigger> ahead = List.of();
  private boolean dueIsWhole;
  private boolean aheadIsWhole;

  LevelRows(WaitingStore waiting, String group, int priority, long now, long horizon) {
    this.waiting = waiting;
    this.group = group;
    this.priority = priority;
    this.now = now;
    this.horizon = horizon;
  }

  /** Reads from the first row on, whatever was read before. */
  void read(int maxRows) {
    limit = maxRows;
    List<WaitingTrigger> rows = waiting.readDue(group, priority, Long.MIN_VALUE, horizon, maxRows);
    int countDue = (int) rows.stream().filter(row -> row.dueAt() <= now).count();
    due = rows.subList(0, countDue);
    ahead = rows.subList(countDue, rows.size());
    aheadIsWhole = rows.size() < maxRows;
    dueIsWhole = aheadIsWhole || countDue < rows.size();
  }

  /** Reads more due rows, and perhaps some that are ahead. */
  void readFurther(int maxRows) {
    read(Math.min(maxRows, limit * GROWTH));
  }

  /** Reads more rows ahead. */
  void readFurtherAhead(int maxRows) {
    int more = (int) Math.min(maxRows, Math.max(limit, (long) ahead.size() * GROWTH));
    ahead = waiting.readDue(group, priority, now, horizon, more);
    aheadIsWhole = ahead.size() < more;
  }

  List<WaitingTrigger> due() {
    return due;
  }

  /** Whether all due rows of the priority have been read. */
  boolean dueIsWhole() {
    return dueIsWhole;
  }

  List<WaitingTrigger> ahead() {
    return ahead;
  }

  boolean aheadIsWhole() {
    return aheadIsWhole;
  }
}
