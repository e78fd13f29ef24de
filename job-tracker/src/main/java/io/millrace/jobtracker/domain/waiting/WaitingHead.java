package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of one node group's waiting table that the tracker holds in memory: triggers not yet
 * due, due ones in {@link DueQueues}, and those that a claim is deciding on. Until its outcome a
 * row is in only one of the three places, and a load that began before the outcome cannot bring the
 * row back.
 *
 * <p>Rows come from loads, and from callers that have just committed them. A row that was just
 * committed is left to the store if it sorts behind rows that only the store holds, because it
 * would overtake them. The exception is a row that is not yet due: when it falls due, it goes
 * beside the backlog of its priority.
 *
 * <p>A missed trigger is handed out only while a decision lets it run. A trigger that is undecided,
 * or that was missed since it came into memory, leaves; the next full load gets the decision.
 * Thread-safe.
 */
public final class WaitingHead {
  /**
   * The order of triggers that are not yet due. When there are too many, the first ones stay: the
   * others can be loaded nearer to their time.
   */
  public static final Comparator<Ranked> BY_TIME =
      Comparator.comparingLong(Ranked::dueAt)
          .thenComparingInt(Ranked::priority)
          .thenComparingLong(Ranked::id);

  private final RowsInMemory rows;
  private final MisfirePermissions permissions;
  private @Nullable LoadSession lastLoad;
  private boolean fullLoadWanted;

  /**
   * @param capacity the most due triggers held
   * @param maxBytes the most bytes of due triggers, and also of triggers that are not yet due
   * @param maxAhead the most triggers held that are not yet due
   * @param misfireThreshold for how long after its planned time a trigger is not missed, while the
   *     next fire time of its job is not due
   * @param order in which due triggers are handed out
   */
  public WaitingHead(
      int capacity, long maxBytes, int maxAhead, Duration misfireThreshold, PriorityOrder order) {
    this.rows = new RowsInMemory(capacity, maxBytes, maxAhead, order);
    this.permissions = new MisfirePermissions(misfireThreshold.toMillis());
  }

  /** The order in which triggers are handed out. */
  public PriorityOrder order() {
    return rows.order();
  }

  // Loads.

  /** Begins a load of the head in full. One load at a time. */
  public synchronized LoadSession beginLoad() {
    if (isLoading()) {
      throw new IllegalStateException("a load is under way");
    }
    fullLoadWanted = false;
    return begin(rows.beginLoad());
  }

  /**
   * Begins a load that reads on from where memory ends, and no more due rows than there is room
   * for; if a full load is wanted, begins that instead.
   *
   * @return empty if no load is wanted, and then none has begun
   */
  public synchronized Optional<LoadSession> beginRefill() {
    if (!wantsLoad()) {
      return Optional.empty();
    }
    return Optional.of(wantsRefill() ? begin(rows.beginRefill()) : beginLoad());
  }

  private LoadSession begin(LoadSession.Bounds bounds) {
    LoadSession load = new LoadSession(this, rows, permissions, bounds, isBlind());
    lastLoad = load;
    return load;
  }

  /** Requests a full load: rows were stored whose place in the order is not known here. */
  public synchronized void wantFullLoad() {
    fullLoadWanted = true;
  }

  /**
   * Whether a missed trigger waits for a decision, the last load failed, or memory runs low on due
   * triggers or on those held ahead while the store may hold more.
   */
  public synchronized boolean wantsLoad() {
    return !isLoading() && (rows.wantsRefill() || wantsFullLoad());
  }

  /** Whether only due rows behind those in memory are wanted. */
  public synchronized boolean wantsRefill() {
    return !isLoading() && rows.wantsRefill() && !wantsFullLoad();
  }

  private boolean wantsFullLoad() {
    return fullLoadWanted || isBlind() || rows.wantsFullLoad();
  }

  private boolean isLoading() {
    return lastLoad != null && lastLoad.isUnderWay();
  }

  /** The load under way; null if there is none. */
  public synchronized @Nullable LoadSession loadUnderWay() {
    return isLoading() ? lastLoad : null;
  }

  /** Whether the last load failed: then an empty head does not mean that nothing is due. */
  public synchronized boolean isBlind() {
    return lastLoad != null && lastLoad.hasFailed();
  }

  // Rows that come without a load.

  /**
   * Takes in rows that were just committed, as a load that reads them would: due rows go to the due
   * ones, rows that fall due soon are held ahead. A row is left to the store if rows that only the
   * store holds may sort before it; the load that finds those rows finds it too.
   *
   * @param until how far ahead rows are kept
   * @return the rows that are not yet due, to be put on the timer wheel
   */
  public synchronized List<WaitingTrigger> enter(
      Collection<WaitingTrigger> committed, long now, long until) {
    List<WaitingTrigger> added = new ArrayList<>();
    for (WaitingTrigger row : committed) {
      if (row.dueAt() > until || rows.isKnown(row.id()) || isSettledDuringLoad(row.id())) {
        continue;
      }
      if (permissions.isUndecided(row, now)) {
        fullLoadWanted = true;
      } else if (rows.enter(row, now)) {
        added.add(row);
      }
    }
    added.removeIf(row -> !rows.isAhead(row.id()));
    return added;
  }

  private boolean isSettledDuringLoad(long id) {
    return lastLoad != null && lastLoad.hasSettled(id);
  }

  /** Moves triggers that were held ahead and have fallen due to the due ones. */
  public synchronized void fallDue(long now) {
    rows.fallDue(now);
  }

  // Claims.

  /**
   * Takes a trigger for a claim: the first due one, or else the next one that falls due, if it does
   * by {@code until}; null if there is none. It stays known until its outcome. Missed triggers that
   * are undecided leave, and a full load is wanted.
   */
  public synchronized @Nullable WaitingTrigger takeForClaim(long now, long until) {
    DueQueues.Taken taken = firstDue(now) == null ? rows.pollAhead(until) : rows.pollDue();
    return taken == null ? null : rows.beginClaim(taken);
  }

  /** The trigger that {@link #takeForClaim} would take now, or null. */
  public synchronized @Nullable WaitingTrigger firstForClaim(long now, long until) {
    WaitingTrigger due = firstDue(now);
    return due == null ? rows.firstAhead(until) : due;
  }

  private @Nullable WaitingTrigger firstDue(long now) {
    rows.fallDue(now);
    WaitingTrigger first = rows.firstDue();
    while (first != null && permissions.isUndecided(first, now)) {
      fullLoadWanted = true;
      rows.remove(first.id());
      first = rows.firstDue();
    }
    return first;
  }

  /** Returns those rows of a claim that have been missed since they were taken for it. */
  public synchronized List<Long> missedInClaim(Collection<Long> ids, long now) {
    return ids.stream()
        .filter(
            id -> {
              WaitingTrigger trigger = rows.inClaim(id);
              return trigger != null && permissions.isUndecided(trigger, now);
            })
        .toList();
  }

  /** Records the outcome of the claim of these rows: they are claimed, or gone. */
  public synchronized void settle(Collection<Long> ids) {
    for (Long id : ids) {
      rows.endClaim(id);
      permissions.remove(id);
      if (lastLoad != null) {
        lastLoad.settle(id);
      }
    }
  }

  /**
   * Returns rows whose claim did not happen to where they were. A row is left to the store if rows
   * that go before it have been left there meanwhile.
   *
   * @return the due times of the rows that are not yet due, to be put on the timer wheel again
   */
  public synchronized Set<Long> putBack(Collection<Long> ids, long now) {
    return rows.putBack(ids, now);
  }

  // What is held.

  /** Whether a trigger that is held ahead falls due by {@code until}. */
  public synchronized boolean hasDueUntil(long until) {
    return rows.hasDueUntil(until);
  }

  /**
   * The due triggers, except those in a claim, if memory holds all of them; empty if the store may
   * hold more, or if the last load failed or a full load is wanted.
   */
  public synchronized Optional<Backlog> backlog(long now) {
    return isBlind() || fullLoadWanted ? Optional.empty() : rows.backlog(now);
  }

  public synchronized boolean hasDue() {
    return rows.dueCount() > 0;
  }

  public synchronized int dueCount() {
    return rows.dueCount();
  }

  public synchronized int aheadCount() {
    return rows.aheadCount();
  }

  /** Bytes held, by estimate, without the rows in claims. */
  public synchronized long bytes() {
    return rows.bytes();
  }
}
