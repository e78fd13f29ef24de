package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
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
 * What the tracker knows in memory of one node group's waiting table: triggers not yet due, due
 * ones in {@link DueLanes}, and those a claim is deciding on. A row is known in one of the three
 * places only, until its outcome; and a load that began before the outcome cannot bring it back.
 *
 * <p>Rows come here by loads, and from whoever has just committed them. Of the latter nothing is
 * taken in that sorts behind rows which are in the store alone: it would overtake them. Except what
 * is before its time: when it falls due it goes beside the backlog of its priority.
 *
 * <p>A trigger that has been missed is handed out only while a decision lets it run; one that is
 * undecided, or was missed since it came here, leaves for the load that sees to the decision.
 * Thread-safe.
 */
public final class WaitingHead {
  /**
   * The order of what is not yet due. When it is too much the first stay: the others can be loaded
   * when it is nearer to their time.
   */
  public static final Comparator<Ranked> BY_TIME =
      Comparator.comparingLong(Ranked::dueAt)
          .thenComparingInt(Ranked::priority)
          .thenComparingLong(Ranked::id);

  private final DueLanes due;
  private final WaitingDeque ahead;
  private final LoadBoundary dueKnown;
  private final LoadBoundary aheadKnown;
  private final PriorityOrder order;
  private final int capacity;
  private final int maxAhead;
  private final long misfireThreshold;
  private final Map<Long, WaitingTrigger> inClaim = new HashMap<>();
  private final Set<Long> timelyInClaim = new HashSet<>();
  private final Map<Long, Long> runUntil = new HashMap<>();
  private final Set<Long> settledDuringLoad = new HashSet<>();
  private boolean loading;
  private long loadsBegun;
  private LoadBounds bounds = new LoadBounds(0, 0);
  private boolean cutShort;
  private boolean fullLoadWanted;
  private boolean blind;

  /** A head that hands out in the strict order. */
  public WaitingHead(int capacity, long maxBytes, int maxAhead, Duration misfireThreshold) {
    this(capacity, maxBytes, maxAhead, misfireThreshold, PriorityOrder.STRICT);
  }

  /**
   * @param capacity due triggers held
   * @param maxBytes bytes of them, and bytes of those that are not yet due
   * @param maxAhead triggers held that are not yet due
   * @param misfireThreshold how long after its planned time a trigger is not yet missed, while the
   *     next fire time of its job is not due
   * @param order in which they are handed out
   */
  public WaitingHead(
      int capacity, long maxBytes, int maxAhead, Duration misfireThreshold, PriorityOrder order) {
    this.due = new DueLanes(capacity, maxBytes, order);
    this.ahead = new WaitingDeque(maxAhead, maxBytes, BY_TIME);
    this.dueKnown = new LoadBoundary(order);
    this.aheadKnown = new LoadBoundary(BY_TIME);
    this.order = order;
    this.capacity = capacity;
    this.maxAhead = maxAhead;
    this.misfireThreshold = misfireThreshold.toMillis();
  }

  /**
   * What a load should read at the most.
   *
   * @param behind where the due rows begin that are wanted; null if from the first on
   */
  public record LoadBounds(int dueRows, int aheadRows, @Nullable SortKey behind) {

    /** Of a load that reads the head in full. */
    public LoadBounds(int dueRows, int aheadRows) {
      this(dueRows, aheadRows, null);
    }
  }

  /**
   * Begins a load of the head in full; it ends with {@link #endLoad} or {@link #abandonLoad}. One
   * at a time.
   *
   * @return how many rows to read: enough to see past those that are known already
   */
  public synchronized LoadBounds beginLoad() {
    if (loading) {
      throw new IllegalStateException("a load is under way");
    }
    fullLoadWanted = false;
    return begin(new LoadBounds(capacity + inClaim.size(), maxAhead + inClaim.size()));
  }

  /**
   * Begins a load that reads on from where memory ends, and no more due rows than there is room
   * for; one of the head in full if that is wanted. It ends as any load.
   *
   * @return what to read; empty if nothing is wanted, and then no load has begun
   */
  public synchronized Optional<LoadBounds> beginRefill() {
    if (loading || !wantsLoad()) {
      return Optional.empty();
    }
    return Optional.of(
        wantsRefill()
            ? begin(new LoadBounds(due.room(), maxAhead + inClaim.size(), dueKnown.known()))
            : beginLoad());
  }

  private LoadBounds begin(LoadBounds wanted) {
    loading = true;
    loadsBegun++;
    settledDuringLoad.clear();
    dueKnown.beginLoad();
    aheadKnown.beginLoad();
    bounds = wanted;
    return wanted;
  }

  /** The order in which triggers are handed out. */
  public PriorityOrder order() {
    return order;
  }

  /** Those of the rows of a load that were missed and must be decided on. */
  public synchronized List<WaitingTrigger> undecided(List<WaitingTrigger> rows, long now) {
    return rows.stream()
        .filter(row -> isUndecided(row, now))
        .filter(row -> !inClaim.containsKey(row.id()) && !settledDuringLoad.contains(row.id()))
        .toList();
  }

  /**
   * What was decided during a load on triggers that were missed.
   *
   * @param skipped rows that are gone
   * @param until rows that may run, and the last millisecond at which they may
   */
  public synchronized void decided(Collection<Long> skipped, Map<Long, Long> until) {
    for (Long id : skipped) {
      due.remove(id);
      ahead.remove(id);
      settledDuringLoad.add(id);
    }
    runUntil.putAll(until);
  }

  /**
   * Takes in what a load has read. What was ahead and has fallen due moves into the deque as well,
   * so that a wake-up that got lost costs no more than the time until the next load.
   *
   * @param rows what was read, due or not
   * @param complete whether the store held no further due rows
   * @return the rows that are not yet due and were not known: to be put on the wheel
   */
  public synchronized List<WaitingTrigger> endLoad(
      List<WaitingTrigger> rows, boolean complete, long now) {
    loading = false;
    blind = false;
    noteRead(rows, complete, now);
    fallDue(now);
    List<WaitingTrigger> added = new ArrayList<>();
    for (WaitingTrigger row : rows) {
      if (isKnown(row.id()) || settledDuringLoad.contains(row.id()) || isUndecided(row, now)) {
        continue;
      }
      if (row.dueAt() > now) {
        offerAhead(row);
        added.add(row);
      } else if (dueKnown.covers(row)) {
        offerDue(row, false);
      }
    }
    leaveOutWhatWouldOvertake();
    added.removeIf(row -> !ahead.contains(row.id()));
    runUntil.keySet().removeIf(id -> !isKnown(id));
    settledDuringLoad.clear();
    return added;
  }

  /** A load may tell of less than memory holds, if that has grown since it began. */
  private void leaveOutWhatWouldOvertake() {
    WaitingTrigger last = due.lastOfBacklog();
    while (last != null && !dueKnown.covers(last)) {
      boolean unused = due.remove(last.id());
      last = due.lastOfBacklog();
    }
  }

  private void noteRead(List<WaitingTrigger> rows, boolean complete, long now) {
    List<WaitingTrigger> readDue = rows.stream().filter(row -> row.dueAt() <= now).toList();
    List<WaitingTrigger> readAhead = rows.stream().filter(row -> row.dueAt() > now).toList();
    boolean allAhead = readAhead.size() < bounds.aheadRows();
    cutShort = dueKnown.endLoad(complete ? null : last(readDue, order));
    SortKey aheadUpTo = allAhead ? null : last(readAhead, BY_TIME);
    if (bounds.behind() == null) {
      boolean unused = aheadKnown.endLoad(aheadUpTo);
    } else {
      aheadKnown.endRefill(aheadUpTo);
    }
  }

  private static SortKey last(List<WaitingTrigger> rows, Comparator<Ranked> order) {
    return rows.stream().max(order).map(SortKey::of).orElse(SortKey.START);
  }

  /**
   * Takes in rows that were just committed, each as a load would that reads it: what is due goes
   * into the deque, what falls due soon is ahead. A row is left to the store if others may be in
   * the store alone that sort before it; the load that finds those finds it too.
   *
   * @param until how far ahead rows are kept
   * @return the rows that are not yet due: to be put on the wheel
   */
  public synchronized List<WaitingTrigger> enter(
      Collection<WaitingTrigger> rows, long now, long until) {
    boolean knowsWhatFellDue = knowsWhatFellDue(now);
    List<WaitingTrigger> added = new ArrayList<>();
    for (WaitingTrigger row : rows) {
      if (row.dueAt() > until || isKnown(row.id()) || settledDuringLoad.contains(row.id())) {
        continue;
      }
      if (isUndecided(row, now)) {
        fullLoadWanted = true;
      } else if (!knowsWhatFellDue || !mayEnter(row, now)) {
        dueKnown.leaveOut(row);
      } else if (row.dueAt() <= now) {
        offerDue(row.asReadBack(), false);
      } else if (!aheadKnown.covers(row)) {
        aheadKnown.leaveOut(row);
      } else {
        WaitingTrigger readBack = row.asReadBack();
        offerAhead(readBack);
        added.add(readBack);
      }
    }
    added.removeIf(row -> !ahead.contains(row.id()));
    return added;
  }

  /** What is before its time will not be of the backlog, and waits for nothing of its priority. */
  private boolean mayEnter(WaitingTrigger row, long now) {
    SortKey known = dueKnown.known();
    return dueKnown.covers(row)
        || (row.dueAt() > now && known != null && row.priority() <= known.priority());
  }

  /** Ends a load that failed; whatever was to be decided on still is. */
  public synchronized void abandonLoad() {
    loading = false;
    blind = true;
    fullLoadWanted = true;
    settledDuringLoad.clear();
  }

  /** Rows were stored of which nobody says where they sort: only the head in full will do. */
  public synchronized void wantFullLoad() {
    fullLoadWanted = true;
  }

  /** Moves what was ahead and has fallen due into the deque. */
  public synchronized void fallDue(long now) {
    WaitingTrigger first = ahead.peek();
    while (first != null && first.dueAt() <= now) {
      boolean unused = ahead.remove(first.id());
      offerDue(first, true);
      first = ahead.peek();
    }
  }

  /**
   * Takes the first due trigger for a claim, or null. It stays known until its outcome. Those that
   * were missed and are undecided leave, and a load is wanted.
   */
  public synchronized @Nullable WaitingTrigger takeForClaim(long now) {
    DueLanes.Taken taken = due.poll();
    while (taken != null && isUndecided(taken.trigger(), now)) {
      fullLoadWanted = true;
      taken = due.poll();
    }
    return taken == null ? null : claimed(taken.trigger(), taken.isTimely());
  }

  private WaitingTrigger claimed(WaitingTrigger trigger, boolean isTimely) {
    inClaim.put(trigger.id(), trigger);
    if (isTimely) {
      timelyInClaim.add(trigger.id());
    }
    return trigger;
  }

  /**
   * Takes a trigger for a claim: the first due one, or else the one that falls due next, if any
   * does until then. It stays known until its outcome.
   */
  public synchronized @Nullable WaitingTrigger takeForClaim(long now, long until) {
    fallDue(now);
    WaitingTrigger trigger = takeForClaim(now);
    if (trigger == null && hasDueUntil(until)) {
      WaitingTrigger next = ahead.poll();
      return next == null ? null : claimed(next, true);
    }
    return trigger;
  }

  /** Whether a trigger that is ahead falls due until then. */
  public synchronized boolean hasDueUntil(long until) {
    WaitingTrigger first = ahead.peek();
    return first != null && first.dueAt() <= until;
  }

  /** Those of the rows of a claim that have been missed since they were taken for it. */
  public synchronized List<Long> missedInClaim(Collection<Long> ids, long now) {
    return ids.stream()
        .filter(
            id -> {
              WaitingTrigger trigger = inClaim.get(id);
              return trigger != null && isUndecided(trigger, now);
            })
        .toList();
  }

  /** The claim of these rows has an outcome: they are claimed, or gone. */
  public synchronized void settle(Collection<Long> ids) {
    for (Long id : ids) {
      inClaim.remove(id);
      timelyInClaim.remove(id);
      runUntil.remove(id);
      if (loading) {
        settledDuringLoad.add(id);
      }
    }
  }

  /**
   * The claim of these rows did not happen: they go back to where they were, or are left to the
   * store if others have been since that go before them.
   *
   * @return when those are due that are not yet: to be put on the wheel again
   */
  public synchronized Set<Long> putBack(Collection<Long> ids, long now) {
    Set<Long> dueTimes = new HashSet<>();
    for (Long id : ids) {
      WaitingTrigger trigger = inClaim.remove(id);
      boolean isTimely = timelyInClaim.remove(id);
      if (trigger == null) {
        continue;
      }
      if (trigger.dueAt() > now) {
        offerAhead(trigger);
        dueTimes.add(trigger.dueAt());
      } else if (isTimely || dueKnown.covers(trigger)) {
        offerDue(trigger, isTimely);
      } else {
        dueKnown.leaveOut(trigger);
      }
    }
    return dueTimes;
  }

  /** Whether the last load failed: that nothing is known to be due then means nothing. */
  public synchronized boolean isBlind() {
    return blind;
  }

  /** The number of the load that is under way; 0 if none is. */
  public synchronized long loadUnderWay() {
    return loading ? loadsBegun : 0;
  }

  /**
   * What is due, those in a claim aside, if memory holds all of it; empty if the store may hold
   * more, or was not read lately.
   */
  public synchronized Optional<Backlog> backlog(long now) {
    boolean holdsAll = !blind && !fullLoadWanted && !dueKnown.isOpen() && knowsWhatFellDue(now);
    return holdsAll ? Optional.of(new Backlog(due.size(), due.oldestDueAt())) : Optional.empty();
  }

  private boolean knowsWhatFellDue(long now) {
    return aheadKnown.covers(new SortKey(Integer.MAX_VALUE, now, Long.MAX_VALUE));
  }

  public synchronized boolean hasDue() {
    return due.size() > 0;
  }

  /**
   * Whether a missed trigger waits to be decided on, or the deque or what is ahead runs low while
   * the store may hold more of it.
   */
  public synchronized boolean wantsLoad() {
    return !loading && (wantsRefill() || wantsFullLoad());
  }

  /** Whether nothing is wanted but due rows behind those in memory. */
  public synchronized boolean wantsRefill() {
    return !loading && dueKnown.isOpen() && due.runsLow() && !wantsFullLoad();
  }

  private boolean wantsFullLoad() {
    return fullLoadWanted || dueKnown.isAtStart() || (aheadKnown.isOpen() && ahead.runsLow());
  }

  /**
   * Whether a load is wanted at once, because the last one had to leave what it read to the store:
   * rows were committed meanwhile that go before it.
   */
  public synchronized boolean wantsAnotherLoad() {
    return cutShort && wantsLoad();
  }

  public synchronized int dueCount() {
    return due.size();
  }

  public synchronized int aheadCount() {
    return ahead.size();
  }

  /** Bytes held, by estimate, beside those in claims. */
  public synchronized long bytes() {
    return due.bytes() + ahead.bytes();
  }

  private boolean isKnown(long id) {
    return due.contains(id) || ahead.contains(id) || inClaim.containsKey(id);
  }

  private boolean isUndecided(WaitingTrigger trigger, long now) {
    return trigger.isMissable()
        && trigger.inTimeUntil(misfireThreshold) < now
        && runUntil.getOrDefault(trigger.id(), Long.MIN_VALUE) < now;
  }

  private void offerDue(WaitingTrigger trigger, boolean isTimely) {
    due.offer(trigger, isTimely).forEach(dueKnown::leaveOut);
  }

  private void offerAhead(WaitingTrigger trigger) {
    ahead.offer(trigger).forEach(aheadKnown::leaveOut);
  }
}
