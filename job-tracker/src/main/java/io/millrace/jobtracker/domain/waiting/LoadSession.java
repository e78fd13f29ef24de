package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One load of a {@link WaitingHead}, from {@link WaitingHead#beginLoad} or {@link
 * WaitingHead#beginRefill} until {@link #end} or {@link #abandon}. A row whose claim is decided
 * while the load is under way does not come back with it. Thread-safe.
 */
public final class LoadSession {
  private enum State {
    UNDER_WAY,
    READ,
    FAILED
  }

  /** The monitor of the head, which guards everything here and the rows. */
  private final Object lock;

  private final RowsInMemory rows;
  private final MisfirePermissions permissions;
  private final Bounds bounds;
  private final boolean lastFailed;
  private final Set<Long> settled = new HashSet<>();
  private State state = State.UNDER_WAY;
  private boolean cutShort;

  /**
   * @param lastFailed whether the load before this one failed
   */
  LoadSession(
      Object lock,
      RowsInMemory rows,
      MisfirePermissions permissions,
      Bounds bounds,
      boolean lastFailed) {
    this.lock = lock;
    this.rows = rows;
    this.permissions = permissions;
    this.bounds = bounds;
    this.lastFailed = lastFailed;
  }

  /**
   * The most rows that a load should read.
   *
   * @param behind place behind which the wanted due rows begin; null to read from the first one
   */
  public record Bounds(int dueRows, int aheadRows, @Nullable SortKey behind) {

    /** Bounds of a load that reads the head in full. */
    public Bounds(int dueRows, int aheadRows) {
      this(dueRows, aheadRows, null);
    }
  }

  /** What to read: enough to see past the rows that are known already. */
  public Bounds bounds() {
    return bounds;
  }

  /** Returns those of the rows read that were missed and must be decided on. */
  public List<WaitingTrigger> undecided(List<WaitingTrigger> read, long now) {
    synchronized (lock) {
      return read.stream()
          .filter(row -> permissions.isUndecided(row, now))
          .filter(row -> rows.inClaim(row.id()) == null && !settled.contains(row.id()))
          .toList();
    }
  }

  /**
   * Applies what was decided during this load on missed triggers.
   *
   * @param skipped rows that were deleted
   * @param until rows that may run, and the last millisecond at which they may
   */
  public void decided(Collection<Long> skipped, Map<Long, Long> until) {
    synchronized (lock) {
      for (Long id : skipped) {
        rows.remove(id);
        settled.add(id);
      }
      permissions.allow(until);
    }
  }

  /**
   * Takes in the rows that this load has read. Triggers held ahead that have fallen due move to the
   * due ones as well, so that a lost wake-up costs no more than the time until the next load.
   *
   * @param read the rows that were read, due or not
   * @param complete whether the store held no further due rows
   * @return the rows that are not yet due and were not known, to be put on the timer wheel
   */
  public List<WaitingTrigger> end(List<WaitingTrigger> read, boolean complete, long now) {
    synchronized (lock) {
      leave(State.READ);
      cutShort = rows.endLoad(bounds, read, complete, now);
      rows.fallDue(now);
      List<WaitingTrigger> added = new ArrayList<>();
      for (WaitingTrigger row : read) {
        if (rows.isKnown(row.id())
            || settled.contains(row.id())
            || permissions.isUndecided(row, now)) {
          continue;
        }
        if (rows.takeIn(row, now)) {
          added.add(row);
        }
      }
      rows.leaveOutOvertaking();
      added.removeIf(row -> !rows.isAhead(row.id()));
      permissions.retain(rows::isKnown);
      settled.clear();
      return added;
    }
  }

  /** Ends a load that failed; missed triggers remain undecided. */
  public void abandon() {
    synchronized (lock) {
      leave(State.FAILED);
      settled.clear();
    }
  }

  private void leave(State next) {
    if (state != State.UNDER_WAY) {
      throw new IllegalStateException("the load is over");
    }
    state = next;
  }

  /** Whether the load has neither ended nor failed. */
  public boolean isUnderWay() {
    synchronized (lock) {
      return state == State.UNDER_WAY;
    }
  }

  /**
   * Whether the load left due rows that it had read to the store: rows that go before them were
   * committed meanwhile.
   */
  public boolean wasCutShort() {
    synchronized (lock) {
      return cutShort;
    }
  }

  /** Whether the last load that is over failed. */
  boolean hasFailed() {
    return state == State.FAILED || (state == State.UNDER_WAY && lastFailed);
  }

  /** Records that the claim of a row is decided, so that the row does not come back. */
  void settle(long id) {
    if (state == State.UNDER_WAY) {
      settled.add(id);
    }
  }

  /** Whether the claim of a row was decided while this load was under way. */
  boolean hasSettled(long id) {
    return settled.contains(id);
  }
}
