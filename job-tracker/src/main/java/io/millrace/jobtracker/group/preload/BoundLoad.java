package io.millrace.jobtracker.group.preload;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Placement;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.BoundParts;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the waiting parts of one node group that are for one worker each. Single-flight: the timer
 * that runs it never overlaps its own runs. Rows that were committed here are added concurrently,
 * from any thread.
 */
public final class BoundLoad {
  private static final Logger LOG = LoggerFactory.getLogger(BoundLoad.class);
  private static final int PAGE = 1_000;

  private final String group;
  private final BoundParts parts;
  private final WaitingStore waiting;
  private final Predicate<BoundTo> isGone;
  private final TimedExecutor time;
  private final PreLoader.Ahead ahead;
  private final DueTimer dueTimes;
  private final Runnable onDue;

  /**
   * @param isGone whether a worker does not come back as it was
   * @param onDue called when rows have fallen due or may be claimed
   */
  public BoundLoad(
      String group,
      BoundParts parts,
      WaitingStore waiting,
      Predicate<BoundTo> isGone,
      TimedExecutor time,
      PreLoader.Ahead ahead,
      Runnable onDue) {
    this.group = group;
    this.parts = parts;
    this.waiting = waiting;
    this.isGone = isGone;
    this.time = time;
    this.ahead = ahead;
    this.dueTimes = new DueTimer(time, ahead.claim(), onDue, now -> {});
    this.onDue = onDue;
  }

  /** Whether memory has room for rows that were left to the store. */
  boolean isWanted() {
    return parts.wantsLoad();
  }

  /**
   * Reads all rows that are due or fall due soon, and the first of those that wait longer; takes in
   * those for which there is room.
   */
  void runOnce(long now) {
    parts.beginLoad();
    try {
      int above = Level.numberOf(Placement.BOUND, 0) - 1;
      Optional<Level> level = waiting.nextLevel(group, above);
      while (level.isPresent()) {
        readLevel(level.get().number(), now);
        readLost(level.get().number(), now);
        level = waiting.nextLevel(group, level.get().number());
      }
      parts.endLoad();
    } catch (RuntimeException | Error e) {
      parts.abandonLoad();
      throw e;
    }
    onDue.run();
  }

  private long soonUntil(long now) {
    return now + ahead.load().toMillis();
  }

  /** Many rows are due at one instant: that of their run's split. */
  private void readLevel(int level, long now) {
    long until = soonUntil(now);
    List<WaitingTrigger> page = waiting.readDue(group, level, Long.MIN_VALUE, until, PAGE);
    while (!page.isEmpty()) {
      dueTimes.await(parts.takeIn(page, now));
      page = page.size() < PAGE ? List.of() : behind(level, page.get(PAGE - 1), until);
    }
  }

  /** Of rows that wait longer, memory holds those that are to end. One page of a level is read. */
  private void readLost(int level, long now) {
    List<WaitingTrigger> later =
        waiting.readDue(group, level, soonUntil(now), WaitingTrigger.HELD - 1, PAGE).stream()
            .filter(row -> isGone.test(BoundParts.workerOf(row)))
            .toList();
    dueTimes.await(parts.takeIn(later, now));
  }

  private List<WaitingTrigger> behind(int level, WaitingTrigger last, long until) {
    List<WaitingTrigger> page = waiting.readDueAt(group, level, last.dueAt(), last.id(), PAGE);
    return page.size() == PAGE || last.dueAt() >= until
        ? page
        : concat(page, waiting.readDue(group, level, last.dueAt(), until, PAGE - page.size()));
  }

  private static List<WaitingTrigger> concat(List<WaitingTrigger> one, List<WaitingTrigger> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  /** Adds rows that were just committed here, without reading them back. */
  void enter(List<WaitingTrigger> rows) {
    long now = time.millis();
    long until = soonUntil(now);
    List<WaitingTrigger> soon = rows.stream().filter(row -> row.dueAt() <= until).toList();
    try {
      dueTimes.await(parts.takeIn(soon, now));
      onDue.run();
    } catch (RuntimeException e) {
      LOG.warn("{} stored parts of {} are left to the next load", soon.size(), group, e);
    }
  }
}
