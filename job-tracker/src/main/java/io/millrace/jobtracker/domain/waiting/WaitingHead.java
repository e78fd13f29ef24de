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
 * The part of one node group's waiting table that the tracker holds in memory: triggers not yet
 * due, due ones in {@link DueLanes}, and those that a claim is deciding on. Until its outcome a row
 * is in only one of the three places, and a load that began before the outcome cannot bring the row
 * back.
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

  /** Creates a head that hands out in the strict order. */
  public WaitingHead(int capacity, long maxBytes, int maxAhead, Duration misfireThreshold) {
    this(capacity, maxBytes, maxAhead, misfireThreshold, PriorityOrder.STRICT);
  }

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
   * The most rows that a load should read.
   *
   * @param behind place behind which the wanted due rows begin; null to read from the first one
   */
  public record LoadBounds(int dueRows, int aheadRows, @Nullable SortKey behind) {

    /** Bounds of a load that reads the head in full. */
    public LoadBounds(int dueRows, int aheadRows) {
      this(dueRows, aheadRows, null);
    }
  }

  /**
   * Begins a load of the head in full, which ends with {@link #endLoad} or {@link #abandonLoad}.
   * One load at a time.
   *
   * @return how many rows to read: enough to see past the rows that are known already
   */
  public synchronized LoadBounds beginLoad() {
    if (loading) {
      throw new IllegalStateException("a load is in progress");
    }
    fullLoadWanted = false;
    return begin(new LoadBounds(capacity + inClaim.size(), maxAhead + inClaim.size()));
  }

  /**
   * Begins a load that reads on from where memory ends, and no more due rows than there is room
   * for; if a full load is wanted, begins that instead. It ends as any load does.
   *
   * @return what to read; empty if no load is wanted, and then none has begun
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

  /** Returns those rows of a load that were missed and must be decided on. */
  public synchronized List<WaitingTrigger> undecided(List<WaitingTrigger> rows, long now) {
    return rows.stream()
        .filter(row -> isUndecided(row, now))
        .filter(row -> !inClaim.containsKey(row.id()) && !settledDuringLoad.contains(row.id()))
        .toList();
  }

  /**
   * Applies what was decided during a load on missed triggers.
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
   * Takes in the rows that a load has read. Triggers held ahead that have fallen due move to the
   * due ones as well, so that a lost wake-up costs no more than the time until the next load.
   *
   * @param rows the rows that were read, due or not
   * @param complete whether the store held no further due rows
   * @return the rows that are not yet due and were not known, to be put on the timer wheel
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

  /**
   * Removes backlog behind the boundary: a load may prove less than memory holds, if rows were
   * added after it began.
   */
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
   * Takes in rows that were just committed, as a load that reads them would: due rows go to the due
   * ones, rows that fall due soon are held ahead. A row is left to the store if rows that only the
   * store holds may sort before it; the load that finds those rows finds it too.
   *
   * @param until how far ahead rows are kept
   * @return the rows that are not yet due, to be put on the timer wheel
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

  /** A row that is not yet due will not join the backlog, and waits for no row of its priority. */
  private boolean mayEnter(WaitingTrigger row, long now) {
    SortKey known = dueKnown.known();
    return dueKnown.covers(row)
        || (row.dueAt() > now && known != null && row.priority() <= known.priority());
  }

  /** Ends a load that failed; missed triggers remain undecided. */
  public synchronized void abandonLoad() {
    loading = false;
    blind = true;
    fullLoadWanted = true;
    settledDuringLoad.clear();
  }

  /** Requests a full load: rows were stored whose place in the order is not known here. */
  public synchronized void wantFullLoad() {
    fullLoadWanted = true;
  }

  /** Moves triggers that were held ahead and have fallen due to the due ones. */
  public synchronized void fallDue(long now) {
    WaitingTrigger first = ahead.peek();
    while (first != null && first.dueAt() <= now) {
      boolean unused = ahead.remove(first.id());
      offerDue(first, true);
      first = ahead.peek();
    }
  }

  /**
   * Takes the first due trigger for a claim, or returns null. It stays known until its outcome.
   * Missed triggers that are undecided leave, and a full load is wanted.
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
   * Takes a trigger for a claim: the first due one, or else the next one that falls due, if it does
   * by {@code until}. It stays known until its outcome.
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

  /** Whether a trigger that is held ahead falls due by {@code until}. */
  public synchronized boolean hasDueUntil(long until) {
    WaitingTrigger first = ahead.peek();
    return first != null && first.dueAt() <= until;
  }

  /** Returns those rows of a claim that have been missed since they were taken for it. */
  public synchronized List<Long> missedInClaim(Collection<Long> ids, long now) {
    return ids.stream()
        .filter(
            id -> {
              WaitingTrigger trigger = inClaim.get(id);
              return trigger != null && isUndecided(trigger, now);
            })
        .toList();
  }

  /** Records the outcome of the claim of these rows: they are claimed, or gone. */
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
   * Returns rows whose claim did not happen to where they were. A row is left to the store if rows
   * that go before it have been left there meanwhile.
   *
   * @return the due times of the rows that are not yet due, to be put on the timer wheel again
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

  /** Whether the last load failed: then an empty head does not mean that nothing is due. */
  public synchronized boolean isBlind() {
    return blind;
  }

  /** The number of the load under way; 0 if there is none. */
  public synchronized long loadUnderWay() {
    return loading ? loadsBegun : 0;
  }

  /**
   * The due triggers, except those in a claim, if memory holds all of them; empty if the store may
   * hold more, or if the last load failed or a full load is wanted.
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
   * Whether a missed trigger waits for a decision, or memory runs low on due triggers or on those
   * held ahead while the store may hold more.
   */
  public synchronized boolean wantsLoad() {
    return !loading && (wantsRefill() || wantsFullLoad());
  }

  /** Whether only due rows behind those in memory are wanted. */
  public synchronized boolean wantsRefill() {
    return !loading && dueKnown.isOpen() && due.runsLow() && !wantsFullLoad();
  }

  private boolean wantsFullLoad() {
    return fullLoadWanted || dueKnown.isAtStart() || (aheadKnown.isOpen() && ahead.runsLow());
  }

  /**
   * Whether another load is wanted at once, because the last one left rows that it had read to the
   * store: rows that go before them were committed meanwhile.
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

  /** Bytes held, by estimate, without the rows in claims. */
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
