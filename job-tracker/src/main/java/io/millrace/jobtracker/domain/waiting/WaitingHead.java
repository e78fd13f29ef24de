package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker knows in memory of one node group's waiting table: triggers not yet due, due
 * ones in the {@link WaitingDeque}, and those a claim is deciding on. A row is known in one of the
 * three places only, until its outcome; and a load that began before the outcome cannot bring it
 * back.
 *
 * <p>A trigger that has been missed is handed out only while a decision lets it run; one that is
 * undecided, or was missed since it came here, leaves for the load that sees to the decision.
 * Thread-safe.
 */
public final class WaitingHead {
  private final WaitingDeque due;
  private final int capacity;
  private final int maxAhead;
  private final long misfireThreshold;
  private final Map<Long, WaitingTrigger> ahead = new HashMap<>();
  private final Map<Long, WaitingTrigger> inClaim = new HashMap<>();
  private final Map<Long, Long> runUntil = new HashMap<>();
  private final Set<Long> settledDuringLoad = new HashSet<>();
  private boolean loading;
  private long loadsBegun;
  private boolean moreInStore = true;
  private boolean decisionWanted;
  private boolean blind;

  /**
   * @param capacity due triggers held
   * @param maxBytes bytes of them
   * @param maxAhead triggers held that are not yet due
   * @param misfireThreshold how long after its planned time a trigger is not yet missed
   */
  public WaitingHead(int capacity, long maxBytes, int maxAhead, Duration misfireThreshold) {
    this.due = new WaitingDeque(capacity, maxBytes);
    this.capacity = capacity;
    this.maxAhead = maxAhead;
    this.misfireThreshold = misfireThreshold.toMillis();
  }

  /** What a load should read at the most. */
  public record LoadBounds(int dueRows, int aheadRows) {}

  /**
   * Begins a load; it ends with {@link #endLoad} or {@link #abandonLoad}. One at a time.
   *
   * @return how many rows to read: enough to see past those that are known already
   */
  public synchronized LoadBounds beginLoad() {
    if (loading) {
      throw new IllegalStateException("a load is under way");
    }
    loading = true;
    decisionWanted = false;
    loadsBegun++;
    settledDuringLoad.clear();
    return new LoadBounds(capacity + inClaim.size(), maxAhead);
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
    moreInStore = !complete;
    ahead.values().stream().filter(row -> row.dueAt() <= now).toList().forEach(this::becomeDue);
    List<WaitingTrigger> added = new ArrayList<>();
    for (WaitingTrigger row : rows) {
      if (isKnown(row.id()) || settledDuringLoad.contains(row.id()) || isUndecided(row, now)) {
        continue;
      }
      if (row.dueAt() <= now) {
        offerDue(row);
      } else if (ahead.size() < maxAhead) {
        ahead.put(row.id(), row);
        added.add(row);
      }
    }
    runUntil.keySet().removeIf(id -> !isKnown(id));
    settledDuringLoad.clear();
    return added;
  }

  /** Ends a load that failed. */
  public synchronized void abandonLoad() {
    loading = false;
    blind = true;
    settledDuringLoad.clear();
  }

  /**
   * Moves a trigger that has fallen due into the deque; does nothing if it is not known as ahead.
   */
  public synchronized void becomeDue(long id) {
    WaitingTrigger trigger = ahead.get(id);
    if (trigger != null) {
      becomeDue(trigger);
    }
  }

  private void becomeDue(WaitingTrigger trigger) {
    ahead.remove(trigger.id());
    offerDue(trigger);
  }

  /**
   * Takes the first due trigger for a claim, or null. It stays known until its outcome. Those that
   * were missed and are undecided leave, and a load is wanted.
   */
  public synchronized @Nullable WaitingTrigger takeForClaim(long now) {
    WaitingTrigger trigger = due.poll();
    while (trigger != null && isUndecided(trigger, now)) {
      decisionWanted = true;
      moreInStore = true;
      trigger = due.poll();
    }
    if (trigger != null) {
      inClaim.put(trigger.id(), trigger);
    }
    return trigger;
  }

  /** The claim of these rows has an outcome: they are claimed, or gone. */
  public synchronized void settle(Collection<Long> ids) {
    for (Long id : ids) {
      inClaim.remove(id);
      runUntil.remove(id);
      if (loading) {
        settledDuringLoad.add(id);
      }
    }
  }

  /** The claim of these rows did not happen: they go back into the deque. */
  public synchronized void putBack(Collection<Long> ids) {
    for (Long id : ids) {
      WaitingTrigger trigger = inClaim.remove(id);
      if (trigger != null) {
        offerDue(trigger);
      }
    }
  }

  /** Whether the last load failed: that nothing is known to be due then means nothing. */
  public synchronized boolean isBlind() {
    return blind;
  }

  /** The number of the load that is under way; 0 if none is. */
  public synchronized long loadUnderWay() {
    return loading ? loadsBegun : 0;
  }

  public synchronized boolean hasDue() {
    return due.size() > 0;
  }

  /**
   * Whether a missed trigger waits to be decided on, or the deque runs low while the store may hold
   * more that is due.
   */
  public synchronized boolean wantsLoad() {
    return !loading && (decisionWanted || (moreInStore && due.size() < capacity / 2));
  }

  public synchronized int dueCount() {
    return due.size();
  }

  public synchronized int aheadCount() {
    return ahead.size();
  }

  private boolean isKnown(long id) {
    return due.contains(id) || ahead.containsKey(id) || inClaim.containsKey(id);
  }

  private boolean isUndecided(WaitingTrigger trigger, long now) {
    return trigger.isMissable(now - misfireThreshold)
        && runUntil.getOrDefault(trigger.id(), Long.MIN_VALUE) < now;
  }

  private void offerDue(WaitingTrigger trigger) {
    if (!due.offer(trigger).isEmpty()) {
      moreInStore = true;
    }
  }
}
