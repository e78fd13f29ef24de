package io.millrace.jobtracker.group.preload;

import io.millrace.jobtracker.domain.trigger.Ranked;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.LoadSession;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.SortKey;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the head of one lane of a waiting table: of the due rows the first in the order of
 * assignment, and of the rows that fall due soon the earliest. It skips from one priority to the
 * next and reads ranges of those that have rows up to the look-ahead. It reads at most a few more
 * rows than it returns, so the cost depends on the rows loaded, not on the rows that wait.
 * Thread-safe.
 *
 * <p>In the strict order, a priority is read only if the priorities above it leave room. With
 * ageing, any priority may have the first trigger: then every priority is read, and each one with
 * due rows as far as the order of the rows requires.
 *
 * <p>A refill reads in the same way, but only the rows of each priority that sort behind the last
 * row in memory; in the strict order it skips the priorities before that row's priority.
 */
final class HeadReader {
  /** With ageing, the smallest number of rows worth a read. */
  private static final int LEAST_ROWS = 32;

  private final String group;
  private final int lane;
  private final WaitingStore waiting;
  private final PriorityOrder order;
  private final Duration lookAhead;

  HeadReader(
      String group, int lane, WaitingStore waiting, PriorityOrder order, Duration lookAhead) {
    this.group = group;
    this.lane = lane;
    this.waiting = waiting;
    this.order = order;
    this.lookAhead = lookAhead;
  }

  /**
   * The rows of one read.
   *
   * @param rows rows that are due, and rows that fall due soon
   * @param isComplete whether the store holds no further due rows
   * @param nextLane the next lane that has rows; 0 if there is none; null if that is not known
   */
  record Head(List<WaitingTrigger> rows, boolean isComplete, @Nullable Integer nextLane) {}

  Head read(long now, LoadSession.Bounds bounds) {
    return new Reading(now, bounds).read();
  }

  /** One reading. Not thread-safe. */
  private final class Reading {
    private final long now;
    private final long horizon;
    private final LoadSession.Bounds bounds;
    private final List<LevelRows> levels = new ArrayList<>();
    private int lastPriority = -1;
    private boolean sawLastLevel;
    private @Nullable Integer nextLane;

    Reading(long now, LoadSession.Bounds bounds) {
      this.now = now;
      this.horizon = now + lookAhead.toMillis();
      this.bounds = bounds;
    }

    Head read() {
      List<WaitingTrigger> rows = new ArrayList<>(readDue());
      boolean isComplete = rows.size() < bounds.dueRows();
      rows.addAll(readAhead());
      return new Head(rows, isComplete, nextLane);
    }

    private List<WaitingTrigger> readDue() {
      SortKey behind = bounds.behind();
      if (!order.isStrict()) {
        openAll();
      } else if (behind != null) {
        lastPriority = behind.priority();
        open(lastPriority, bounds.dueRows());
      }
      Merged merged = merge(levels, LevelRows::due, LevelRows::dueIsWhole, order);
      while (merged.rows().size() < bounds.dueRows()) {
        if (merged.heldUpBy().isPresent()) {
          merged.heldUpBy().get().readFurther(bounds.dueRows());
        } else if (!openNext(bounds.dueRows() - merged.rows().size())) {
          break;
        }
        merged = merge(levels, LevelRows::due, LevelRows::dueIsWhole, order);
      }
      return merged.first(bounds.dueRows());
    }

    /**
     * Reads the rows ahead. In the strict order, at most one priority has a backlog that was not
     * read to its end; its rows ahead fall due beside that backlog, so a full load reads them too.
     * With ageing many priorities may have such a backlog, and their rows ahead come after it.
     */
    private List<WaitingTrigger> readAhead() {
      if (order.isStrict() && bounds.behind() == null) {
        levels.stream()
            .filter(level -> !level.dueIsWhole())
            .forEach(level -> level.readFurtherAhead(bounds.aheadRows()));
      }
      List<LevelRows> upToDate = levels.stream().filter(LevelRows::aheadIsBegun).toList();
      Merged merged =
          merge(upToDate, LevelRows::ahead, LevelRows::aheadIsWhole, WaitingHead.BY_TIME);
      while (merged.rows().size() < bounds.aheadRows() && merged.heldUpBy().isPresent()) {
        merged.heldUpBy().get().readFurtherAhead(bounds.aheadRows());
        merged = merge(upToDate, LevelRows::ahead, LevelRows::aheadIsWhole, WaitingHead.BY_TIME);
      }
      return merged.first(bounds.aheadRows());
    }

    /** Reads the next priority and returns whether there is one. */
    private boolean openNext(int maxRows) {
      Optional<Level> next = sawLastLevel ? Optional.empty() : nextLevel();
      next.filter(level -> level.earliestDueAt() <= horizon)
          .ifPresent(level -> open(level.priority(), maxRows));
      return next.isPresent();
    }

    private void openAll() {
      List<Level> due = new ArrayList<>();
      for (Optional<Level> next = nextLevel(); next.isPresent(); next = nextLevel()) {
        next.filter(level -> level.earliestDueAt() <= horizon).ifPresent(due::add);
      }
      int share = Math.max(LEAST_ROWS, bounds.dueRows() / Math.max(1, due.size()));
      due.forEach(level -> open(level.priority(), Math.min(share, bounds.dueRows())));
    }

    private Optional<Level> nextLevel() {
      Optional<Level> behind = waiting.nextLevel(group, Level.numberOf(lane, 0) + lastPriority);
      Optional<Level> next = behind.filter(level -> level.lane() == lane);
      next.ifPresentOrElse(
          level -> lastPriority = level.priority(),
          () -> {
            sawLastLevel = true;
            nextLane = behind.map(Level::lane).orElse(0);
          });
      return next;
    }

    private void open(int priority, int maxRows) {
      SortKey behind = bounds.behind();
      SortKey from = behind == null ? LevelRows.firstOf(priority) : order.behind(behind, priority);
      LevelRows rows = new LevelRows(waiting, group, lane, from, now, horizon);
      rows.read(maxRows);
      levels.add(rows);
    }
  }

  /**
   * The rows of several priorities in order, as far as the rows read so far make the order certain.
   *
   * @param heldUpBy the priority that must be read further before there can be more rows; empty if
   *     all rows are there
   */
  private record Merged(List<WaitingTrigger> rows, Optional<LevelRows> heldUpBy) {
    List<WaitingTrigger> first(int count) {
      return rows.subList(0, Math.min(count, rows.size()));
    }
  }

  private static Merged merge(
      List<LevelRows> levels,
      Function<LevelRows, List<WaitingTrigger>> rowsOf,
      Predicate<LevelRows> isWhole,
      Comparator<Ranked> order) {
    Function<LevelRows, WaitingTrigger> last =
        level -> rowsOf.apply(level).get(rowsOf.apply(level).size() - 1);
    Optional<LevelRows> heldUpBy =
        levels.stream().filter(isWhole.negate()).min(Comparator.comparing(last, order));
    Optional<WaitingTrigger> bound = heldUpBy.map(last);
    List<WaitingTrigger> rows =
        levels.stream()
            .flatMap(level -> rowsOf.apply(level).stream())
            .filter(row -> bound.isEmpty() || order.compare(row, bound.get()) <= 0)
            .sorted(order)
            .toList();
    return new Merged(rows, heldUpBy);
  }
}
