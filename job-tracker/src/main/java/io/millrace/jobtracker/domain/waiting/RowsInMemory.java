package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a head holds: not yet due, due, or in a claim. A row is in only one of the three
 * places. For each of the first two, a {@link LoadBoundary} records up to which place in the order
 * memory holds all rows of the store. Not thread-safe.
 */
final class RowsInMemory {
  private final DueQueues due;
  private final WaitingDeque ahead;
  private final LoadBoundary dueKnown;
  private final LoadBoundary aheadKnown;
  private final PriorityOrder order;
  private final int capacity;
  private final int maxAhead;
  private final Map<Long, DueQueues.Taken> inClaim = new HashMap<>();

  /**
   * @param capacity the most due triggers held
   * @param maxBytes the most bytes of due triggers, and also of triggers that are not yet due
   * @param maxAhead the most triggers held that are not yet due
   * @param order in which due triggers are handed out
   */
  RowsInMemory(int capacity, long maxBytes, int maxAhead, PriorityOrder order) {
    this.due = new DueQueues(new MemoryEviction(capacity, maxBytes), order);
    this.ahead = new WaitingDeque(new MemoryEviction(maxAhead, maxBytes), WaitingHead.BY_TIME);
    this.dueKnown = new LoadBoundary(order);
    this.aheadKnown = new LoadBoundary(WaitingHead.BY_TIME);
    this.order = order;
    this.capacity = capacity;
    this.maxAhead = maxAhead;
  }

  PriorityOrder order() {
    return order;
  }

  // Loads.

  /** Begins a full load; returns bounds that reach past the rows in claims. */
  LoadSession.Bounds beginLoad() {
    beginBoundaries();
    return new LoadSession.Bounds(capacity + inClaim.size(), maxAhead + inClaim.size());
  }

  /** Begins a load of due rows behind those in memory, no more than there is room for. */
  LoadSession.Bounds beginRefill() {
    beginBoundaries();
    return new LoadSession.Bounds(due.room(), maxAhead + inClaim.size(), dueKnown.known());
  }

  private void beginBoundaries() {
    dueKnown.beginLoad();
    aheadKnown.beginLoad();
  }

  /**
   * Moves the boundaries to what a load has read.
   *
   * @param complete whether the store held no further due rows
   * @return whether due rows that were read are left to the store, because of rows left out since
   *     the load began
   */
  boolean endLoad(
      LoadSession.Bounds bounds, List<WaitingTrigger> rows, boolean complete, long now) {
    List<WaitingTrigger> readDue = rows.stream().filter(row -> row.dueAt() <= now).toList();
    List<WaitingTrigger> readAhead = rows.stream().filter(row -> row.dueAt() > now).toList();
    boolean allAhead = readAhead.size() < bounds.aheadRows();
    SortKey aheadUpTo = allAhead ? null : last(readAhead, WaitingHead.BY_TIME);
    if (bounds.behind() == null) {
      boolean unused = aheadKnown.endLoad(aheadUpTo);
    } else {
      aheadKnown.endRefill(aheadUpTo);
    }
    return dueKnown.endLoad(complete ? null : last(readDue, order));
  }

  private static SortKey last(List<WaitingTrigger> rows, Comparator<Ranked> order) {
    return rows.stream().max(order).map(SortKey::of).orElse(SortKey.START);
  }

  /** Takes in a row that a load has read, and returns whether it is not yet due. */
  boolean takeIn(WaitingTrigger row, long now) {
    if (row.dueAt() > now) {
      offerAhead(row);
      return true;
    }
    if (dueKnown.covers(row)) {
      offerDue(row, false);
    }
    return false;
  }

  /**
   * Removes backlog behind the boundary, which would overtake rows of the store: a load may prove
   * less than memory holds, if rows were added after it began.
   */
  void leaveOutOvertaking() {
    WaitingTrigger last = due.lastOfBacklog();
    while (last != null && !dueKnown.covers(last)) {
      boolean unused = due.remove(last.id());
      last = due.lastOfBacklog();
    }
  }

  // Rows just committed.

  /**
   * Takes in a row that was just committed, or leaves it to the store if rows that only the store
   * holds may sort before it.
   *
   * @return whether it is held until it falls due
   */
  boolean enter(WaitingTrigger row, long now) {
    if (!knowsWhatFellDue(now) || !mayEnter(row, now)) {
      dueKnown.leaveOut(row);
      return false;
    }
    if (row.dueAt() <= now) {
      offerDue(row.asReadBack(), false);
      return false;
    }
    if (!aheadKnown.covers(row)) {
      aheadKnown.leaveOut(row);
      return false;
    }
    offerAhead(row.asReadBack());
    return true;
  }

  /** A row that is not yet due will not join the backlog, and waits for no row of its priority. */
  private boolean mayEnter(WaitingTrigger row, long now) {
    SortKey known = dueKnown.known();
    return dueKnown.covers(row)
        || (row.dueAt() > now && known != null && row.priority() <= known.priority());
  }

  /** Moves rows that were held ahead and have fallen due to the due ones. */
  void fallDue(long now) {
    WaitingTrigger first = ahead.peek();
    while (first != null && first.dueAt() <= now) {
      boolean unused = ahead.remove(first.id());
      offerDue(first, true);
      first = ahead.peek();
    }
  }

  private void offerDue(WaitingTrigger row, boolean isTimely) {
    due.offer(row, isTimely).forEach(dueKnown::leaveOut);
  }

  private void offerAhead(WaitingTrigger row) {
    ahead.offer(row).forEach(aheadKnown::leaveOut);
  }

  /** Removes a row that is in no claim. */
  void remove(long id) {
    boolean unused = due.remove(id) || ahead.remove(id);
  }

  // Claims.

  /** The due row whose turn it is, or null if there is none. */
  @Nullable WaitingTrigger firstDue() {
    return due.peek();
  }

  /** The next row that falls due, if it does by {@code until}; else null. */
  @Nullable WaitingTrigger firstAhead(long until) {
    return hasDueUntil(until) ? ahead.peek() : null;
  }

  /** Removes and returns the due row whose turn it is, or null if there is none. */
  DueQueues.@Nullable Taken pollDue() {
    return due.poll();
  }

  /** Removes and returns the next row that falls due, if it does by {@code until}; else null. */
  DueQueues.@Nullable Taken pollAhead(long until) {
    WaitingTrigger next = hasDueUntil(until) ? ahead.poll() : null;
    return next == null ? null : new DueQueues.Taken(next, true);
  }

  /** Holds a row in a claim, and returns it. */
  WaitingTrigger beginClaim(DueQueues.Taken taken) {
    inClaim.put(taken.trigger().id(), taken);
    return taken.trigger();
  }

  /** The row in a claim with this id, or null if there is none. */
  @Nullable WaitingTrigger inClaim(long id) {
    DueQueues.Taken taken = inClaim.get(id);
    return taken == null ? null : taken.trigger();
  }

  /** Removes a row whose claim is decided. */
  void endClaim(long id) {
    inClaim.remove(id);
  }

  /**
   * Returns rows whose claim did not happen to where they were. A row is left to the store if rows
   * that go before it have been left there meanwhile.
   *
   * @return the due times of the rows that are not yet due
   */
  Set<Long> putBack(Collection<Long> ids, long now) {
    Set<Long> dueTimes = new HashSet<>();
    for (Long id : ids) {
      DueQueues.Taken taken = inClaim.remove(id);
      if (taken == null) {
        continue;
      }
      WaitingTrigger row = taken.trigger();
      if (row.dueAt() > now) {
        offerAhead(row);
        dueTimes.add(row.dueAt());
      } else if (taken.isTimely() || dueKnown.covers(row)) {
        offerDue(row, taken.isTimely());
      } else {
        dueKnown.leaveOut(row);
      }
    }
    return dueTimes;
  }

  // What is held.

  boolean isKnown(long id) {
    return due.contains(id) || ahead.contains(id) || inClaim.containsKey(id);
  }

  boolean isAhead(long id) {
    return ahead.contains(id);
  }

  /** Whether a row that is held ahead falls due by {@code until}. */
  boolean hasDueUntil(long until) {
    WaitingTrigger first = ahead.peek();
    return first != null && first.dueAt() <= until;
  }

  /** The due rows, except those in a claim, if memory holds all of them; otherwise empty. */
  Optional<Backlog> backlog(long now) {
    return !dueKnown.isOpen() && knowsWhatFellDue(now)
        ? Optional.of(new Backlog(due.size(), due.oldestDueAt()))
        : Optional.empty();
  }

  private boolean knowsWhatFellDue(long now) {
    return aheadKnown.covers(new SortKey(Integer.MAX_VALUE, now, Long.MAX_VALUE));
  }

  /** Whether memory runs low on due rows while the store may hold more behind them. */
  boolean wantsRefill() {
    return dueKnown.isOpen() && due.runsLow();
  }

  /** Whether nothing was loaded yet, or memory runs low on rows ahead while the store has more. */
  boolean wantsFullLoad() {
    return dueKnown.isAtStart() || (aheadKnown.isOpen() && ahead.runsLow());
  }

  int dueCount() {
    return due.size();
  }

  int aheadCount() {
    return ahead.size();
  }

  /** Bytes held, by estimate, without the rows in claims. */
  long bytes() {
    return due.bytes() + ahead.bytes();
  }
}
