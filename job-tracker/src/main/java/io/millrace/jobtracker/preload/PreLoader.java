package io.millrace.jobtracker.preload;

import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.store.WaitingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Loads one node group. Single-flight: the timer that runs it never overlaps itself. A load is one
 * range read per priority present, due rows and rows ahead each under a bound of their own.
 */
public final class PreLoader {
  private final String group;
  private final WaitingStore waiting;
  private final WaitingHead head;
  private final MisfireSweep sweep;
  private final TimedExecutor time;
  private final Duration lookAhead;
  private final Runnable onDue;

  /**
   * @param lookAhead how far ahead rows go onto the wheel; longer than the time between two loads
   * @param onDue called when rows have fallen due
   */
  public PreLoader(
      String group,
      WaitingStore waiting,
      WaitingHead head,
      MisfireSweep sweep,
      TimedExecutor time,
      Duration lookAhead,
      Runnable onDue) {
    this.group = group;
    this.waiting = waiting;
    this.head = head;
    this.sweep = sweep;
    this.time = time;
    this.lookAhead = lookAhead;
    this.onDue = onDue;
  }

  /**
   * What one load did.
   *
   * @param due rows read that were due
   * @param ahead rows put on the wheel
   */
  public record Loaded(int due, int ahead) {}

  /** Loads; and again at once as long as what it has read was missed and is gone. */
  public Loaded runOnce(long now) {
    int due = 0;
    int ahead = 0;
    boolean again = true;
    while (again) {
      Read read = load(now);
      List<WaitingTrigger> added = head.endLoad(read.rows(), read.isComplete(), now);
      added.forEach(this::putOnWheel);
      if (head.hasDue()) {
        onDue.run();
      }
      due += (int) read.rows().stream().filter(row -> row.dueAt() <= now).count();
      ahead += added.size();
      again = !read.isComplete() && read.skipped() > 0;
    }
    return new Loaded(due, ahead);
  }

  /**
   * What was read.
   *
   * @param rows due ones and such as fall due soon
   * @param isComplete whether the store holds no due rows beyond those
   * @param skipped how many rows were missed, and are gone
   */
  private record Read(List<WaitingTrigger> rows, boolean isComplete, int skipped) {}

  private Read load(long now) {
    WaitingHead.LoadBounds bounds = head.beginLoad();
    try {
      List<WaitingTrigger> rows = new ArrayList<>();
      boolean complete = read(now, bounds, rows);
      return new Read(rows, complete, decideOnMissed(rows, now));
    } catch (RuntimeException | Error e) {
      head.abandonLoad();
      throw e;
    }
  }

  /** Nothing undecided is handed out: what the sweep does not get to stays in the store. */
  private int decideOnMissed(List<WaitingTrigger> rows, long now) {
    List<WaitingTrigger> undecided = head.undecided(rows, now);
    if (undecided.isEmpty()) {
      return 0;
    }
    MisfireSweep.Decided decided = sweep.decide(undecided, now);
    head.decided(decided.skipped(), decided.runUntil());
    return decided.skipped().size();
  }

  /** Returns whether the store holds no due rows beyond those read. */
  private boolean read(long now, WaitingHead.LoadBounds bounds, List<WaitingTrigger> rows) {
    int dueLeft = bounds.dueRows();
    int aheadLeft = bounds.aheadRows();
    OptionalInt level = waiting.nextPriority(group, -1);
    while (level.isPresent() && dueLeft > 0) {
      int priority = level.getAsInt();
      List<WaitingTrigger> read = readLevel(priority, now, dueLeft, aheadLeft);
      int due = (int) read.stream().filter(row -> row.dueAt() <= now).count();
      rows.addAll(read);
      dueLeft -= due;
      aheadLeft -= read.size() - due;
      level = waiting.nextPriority(group, priority);
    }
    return dueLeft > 0;
  }

  /**
   * Due rows of one priority, then rows ahead. One read as long as few rows fall due soon; and with
   * a backlog, no read at all of what is ahead.
   */
  private List<WaitingTrigger> readLevel(int priority, long now, int maxDue, int maxAhead) {
    long horizon = now + lookAhead.toMillis();
    List<WaitingTrigger> read = waiting.readDue(group, priority, Long.MIN_VALUE, horizon, maxDue);
    int due = (int) read.stream().filter(row -> row.dueAt() <= now).count();
    if (due == maxDue) {
      return read;
    }
    boolean holdsAll = read.size() < maxDue;
    if (holdsAll || maxAhead == 0) {
      return read.subList(0, Math.min(read.size(), due + maxAhead));
    }
    List<WaitingTrigger> both = new ArrayList<>(read.subList(0, due));
    both.addAll(waiting.readDue(group, priority, now, horizon, maxAhead));
    return both;
  }

  /** The wheel may be late, and the clock may be corrected: nothing is due before it is due. */
  private void putOnWheel(WaitingTrigger trigger) {
    Duration delay = Duration.ofMillis(trigger.dueAt() - time.millis());
    time.schedule(
        delay,
        () -> {
          if (time.millis() < trigger.dueAt()) {
            putOnWheel(trigger);
          } else {
            head.becomeDue(trigger.id());
            onDue.run();
          }
        });
  }
}
