package io.millrace.jobtracker.group.preload;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.LoadSession;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.domain.waiting.WaitingHeads.LaneHead;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads one lane of a node group: due rows and rows ahead, each with a bound of its own.
 * Single-flight: the timer that runs it never overlaps its own runs. Rows that were committed here
 * are added concurrently, from any thread.
 */
public final class PreLoader {
  private static final Logger LOG = LoggerFactory.getLogger(PreLoader.class);

  private final String group;
  private final HeadReader reader;
  private final Transactions transactions;
  private final WaitingHead head;
  private final MisfireSweep sweep;
  private final TimedExecutor time;
  private final Ahead ahead;
  private final DueTimer dueTimes;
  private final Runnable onDue;
  private final Runnable loadSoon;
  private volatile @Nullable Integer nextLane;

  /**
   * How long before their due time rows are handled.
   *
   * @param load how far ahead rows go onto the wheel; longer than the time between two loads
   * @param claim how long before their due time rows may be claimed; zero to claim nothing ahead
   */
  public record Ahead(Duration load, Duration claim) {}

  /**
   * @param onDue called when rows have fallen due or may be claimed
   * @param loadSoon called when a load is wanted before the next period
   */
  public PreLoader(
      LaneHead lane,
      Stores stores,
      MisfireSweep sweep,
      TimedExecutor time,
      Ahead ahead,
      Runnable onDue,
      Runnable loadSoon) {
    this.group = sweep.group();
    this.head = lane.head();
    this.reader =
        new HeadReader(group, lane.lane().number(), stores.waiting(), head.order(), ahead.load());
    this.transactions = stores.transactions();
    this.sweep = sweep;
    this.time = time;
    this.ahead = ahead;
    this.dueTimes = new DueTimer(time, ahead.claim(), onDue, head::fallDue);
    this.onDue = onDue;
    this.loadSoon = loadSoon;
  }

  /**
   * The result of one load.
   *
   * @param due rows read that were due
   * @param ahead rows put on the wheel
   */
  public record Loaded(int due, int ahead) {}

  /**
   * The next lane that has rows, as the last load saw it; 0 if there is none; null if the load did
   * not read its lane to the end.
   */
  @Nullable Integer nextLane() {
    return nextLane;
  }

  /** The head that it loads. */
  WaitingHead head() {
    return head;
  }

  /**
   * Loads the head in full. Repeats at once while rows that it read were missed and are deleted, or
   * while rows committed meanwhile sort before those that it read.
   */
  public Loaded runOnce(long now) {
    return run(() -> Optional.of(head.beginLoad()), now);
  }

  /**
   * Loads the due rows behind those in memory, if the deque runs low and the store may hold more;
   * loads the head in full if the head requires that. Does nothing if no load is required.
   */
  public Loaded refill(long now) {
    return run(head::beginRefill, now);
  }

  private Loaded run(Supplier<Optional<LoadSession>> begin, long now) {
    int due = 0;
    int onWheel = 0;
    boolean again = true;
    while (again) {
      Optional<LoadSession> begun = begin.get();
      if (begun.isEmpty()) {
        break;
      }
      LoadSession load = begun.get();
      Read read = read(load, now);
      List<WaitingTrigger> added = load.end(read.rows(), read.isComplete(), now);
      putOnWheel(added);
      if (head.hasDue()) {
        onDue.run();
      }
      due += (int) read.rows().stream().filter(row -> row.dueAt() <= now).count();
      onWheel += added.size();
      nextLane = read.nextLane();
      again =
          (!read.isComplete() && read.skipped() > 0) || (load.wasCutShort() && head.wantsLoad());
    }
    return new Loaded(due, onWheel);
  }

  /**
   * Adds rows that were just committed here, without reading them back. They are in the store: if
   * the addition fails, the next load finds them.
   */
  public void enter(List<WaitingTrigger> rows) {
    long now = time.millis();
    try {
      putOnWheel(head.enter(rows, now, now + ahead.load().toMillis()));
      if (head.hasDue()) {
        onDue.run();
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "{} stored triggers of {} could not be taken into memory; the next load reads them",
          rows.size(),
          group,
          e);
      head.wantFullLoad();
    }
    if (head.wantsLoad()) {
      loadSoon.run();
    }
  }

  /**
   * Loads soon if rows that were stored elsewhere fall due within the look-ahead.
   *
   * @param earliestDueAt when the first of them falls due, in epoch milliseconds
   */
  public void storedElsewhere(long earliestDueAt) {
    if (earliestDueAt <= time.millis() + ahead.load().toMillis()) {
      head.wantFullLoad();
      loadSoon.run();
    }
  }

  /**
   * The rows of one load.
   *
   * @param rows rows that are due, and rows that fall due soon
   * @param isComplete whether the store holds no further due rows
   * @param skipped how many of the rows were missed and are deleted
   */
  private record Read(
      List<WaitingTrigger> rows, boolean isComplete, int skipped, @Nullable Integer nextLane) {}

  private Read read(LoadSession load, long now) {
    try {
      HeadReader.Head read = readHead(load.bounds(), now);
      return new Read(
          read.rows(), read.isComplete(), decideOnMissed(load, read.rows(), now), read.nextLane());
    } catch (RuntimeException | Error e) {
      load.abandon();
      throw e;
    }
  }

  /**
   * In one transaction, because each read would otherwise need a commit of its own. Every statement
   * reads what is committed when it begins, as it would alone.
   */
  private HeadReader.Head readHead(LoadSession.Bounds bounds, long now) {
    return transactions.repeating("load the head of " + group, () -> reader.read(now, bounds));
  }

  /** An undecided row is never assigned: a row that the sweep does not reach stays in the store. */
  private int decideOnMissed(LoadSession load, List<WaitingTrigger> rows, long now) {
    List<WaitingTrigger> undecided = load.undecided(rows, now);
    if (undecided.isEmpty()) {
      return 0;
    }
    MisfireSweep.Decided decided = sweep.decide(undecided, now);
    load.decided(decided.skipped(), decided.runUntil());
    return decided.skipped().size();
  }

  private void putOnWheel(List<WaitingTrigger> added) {
    dueTimes.await(added.stream().map(WaitingTrigger::dueAt).distinct().toList());
  }
}
