package io.millrace.jobtracker.group.preload;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.SortKey;
import io.millrace.jobtracker.store.WaitingStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The first rows of one priority up to the look-ahead, as far as they have been read: due rows
 * first, then rows ahead, each in order of due time. Reads further on request. Not thread-safe.
 */
final class LevelRows {
  /** A read that was too short is repeated with this many times as many rows. */
  private static final int GROWTH = 4;

  private final WaitingStore waiting;
  private final String group;
  private final int level;
  private final SortKey behind;
  private final long now;
  private final long horizon;
  private int limit;
  private List<WaitingTrigger> due = List.of();
  private List<WaitingTrigger> ahead = List.of();
  private boolean dueIsWhole;
  private boolean aheadIsBegun;
  private boolean aheadIsWhole;

  /**
   * @param behind the sort key in the priority behind which the rows begin
   */
  LevelRows(WaitingStore waiting, String group, int lane, SortKey behind, long now, long horizon) {
    this.waiting = waiting;
    this.group = group;
    this.level = WaitingStore.Level.numberOf(lane, behind.priority());
    this.behind = behind;
    this.now = now;
    this.horizon = horizon;
  }

  /** The sort key before all rows of a priority. */
  static SortKey firstOf(int priority) {
    return new SortKey(priority, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Reads from the first row on, and replaces the rows read before. */
  void read(int maxRows) {
    limit = maxRows;
    List<WaitingTrigger> rows = new ArrayList<>(readSameInstant(maxRows));
    if (rows.size() < maxRows) {
      rows.addAll(waiting.readDue(group, level, behind.dueAt(), horizon, maxRows - rows.size()));
    }
    int countDue = (int) rows.stream().filter(row -> row.dueAt() <= now).count();
    due = rows.subList(0, countDue);
    ahead = rows.subList(countDue, rows.size());
    aheadIsWhole = rows.size() < maxRows;
    dueIsWhole = aheadIsWhole || countDue < rows.size();
    aheadIsBegun = dueIsWhole;
  }

  /** Many rows may fall due at the instant at which this begins. */
  private List<WaitingTrigger> readSameInstant(int maxRows) {
    return behind.id() == Long.MAX_VALUE || behind.dueAt() > horizon
        ? List.of()
        : waiting.readDueAt(group, level, behind.dueAt(), behind.id(), maxRows);
  }

  /** Reads more due rows, and possibly some rows ahead. */
  void readFurther(int maxRows) {
    read(Math.min(maxRows, limit * GROWTH));
  }

  /** Reads more rows ahead. */
  void readFurtherAhead(int maxRows) {
    int more = (int) Math.min(maxRows, Math.max(limit, (long) ahead.size() * GROWTH));
    ahead = waiting.readDue(group, level, now, horizon, more);
    aheadIsWhole = ahead.size() < more;
    aheadIsBegun = true;
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

  /** Whether the rows ahead have been read from the first one on. */
  boolean aheadIsBegun() {
    return aheadIsBegun;
  }

  boolean aheadIsWhole() {
    return aheadIsWhole;
  }
}
