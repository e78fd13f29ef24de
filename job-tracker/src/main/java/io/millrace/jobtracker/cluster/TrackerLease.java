package io.millrace.jobtracker.cluster;

import io.millrace.common.time.Clock;
import io.millrace.jobtracker.store.TrackerStore;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This tracker's number, leased in the store and renewed while it lives. Losing the lease means
 * that another tracker may carry the number: this one must stop.
 *
 * <p>A process that was stopped for a while does not know it when it goes on. So the lease counts
 * as held only until a renewal is late by half a lease, which is before it runs out in the store,
 * by the monotonic clock and by the database's; and after a renewal as late as that, what this
 * tracker owned is certain only when it has looked at the store again. Thread-safe.
 */
public final class TrackerLease {
  private static final Logger LOG = LoggerFactory.getLogger(TrackerLease.class);

  /** Share of the lease after which it is renewed: a third. */
  private static final int RENEWALS_PER_LEASE = 3;

  private final TrackerStore trackers;
  private final Clock clock;
  private final Duration lease;
  private final Runnable onLost;
  private final TrackerStore.Tracker self;
  private volatile Renewal last;
  private volatile boolean over;
  private boolean retired;
  private volatile long doubts;
  private volatile long settledDoubts;

  /** When the last successful renewal was sent, on both lines of time. */
  private record Renewal(long nanos, long millis) {}

  private TrackerLease(
      TrackerStore trackers,
      Clock clock,
      Duration lease,
      Runnable onLost,
      TrackerStore.Tracker self,
      Renewal first) {
    this.trackers = trackers;
    this.clock = clock;
    this.lease = lease;
    this.onLost = onLost;
    this.self = self;
    this.last = first;
  }

  /**
   * Leases a number.
   *
   * @param address where nodes reach the tracker; {@link TrackerStore#STARTING} if it is yet to be
   *     announced
   * @param onLost called when the lease is found lost
   */
  public static TrackerLease acquire(
      TrackerStore trackers,
      String trackerId,
      String address,
      Clock clock,
      Duration lease,
      Runnable onLost) {
    Renewal first = new Renewal(clock.nanoTime(), clock.millis());
    TrackerStore.Tracker self =
        trackers.acquire(trackerId, address, first.millis, first.millis + lease.toMillis());
    return new TrackerLease(trackers, clock, lease, onLost, self, first);
  }

  public int number() {
    return self.number();
  }

  /** How often to renew. */
  public Duration period() {
    return lease.dividedBy(RENEWALS_PER_LEASE);
  }

  /**
   * From now on the other trackers count on this one and hand it node groups, so it must be ready
   * to serve them: a group that is handed to a tracker which is still starting is not served, and
   * its workers give up what they execute.
   */
  public void announce(String address) {
    if (renew()) {
      trackers.announce(self.number(), self.trackerId(), address);
    }
  }

  /** Renews the lease; returns whether this tracker still has it. */
  public boolean renew() {
    boolean wasOver = over;
    boolean kept = tryRenew();
    if (!kept && !wasOver) {
      onLost.run();
    }
    return kept;
  }

  /** What follows a loss is not done under the lock: it may wait for whoever waits for this one. */
  private synchronized boolean tryRenew() {
    if (over || retired) {
      return !over;
    }
    boolean late = !isHeld();
    Renewal next = new Renewal(clock.nanoTime(), clock.millis());
    if (!trackers.renew(self.number(), self.trackerId(), next.millis + lease.toMillis())) {
      over = true;
      return false;
    }
    if (late) {
      LOG.warn("membership: the lease was renewed late; what this tracker owned is looked up");
      doubts++;
    }
    last = next;
    return true;
  }

  /**
   * Whether nobody else can carry this tracker's number yet. What must not happen twice under one
   * number, such as issuing an id, asks this first.
   */
  public boolean isHeld() {
    Renewal renewal = last;
    long lateAfter = period().plus(lease.dividedBy(2)).toMillis();
    return !over
        && (clock.nanoTime() - renewal.nanos) / 1_000_000 <= lateAfter
        && clock.millis() - renewal.millis <= lateAfter;
  }

  /** How long the lease yet runs, if it is not renewed; zero once it is over. */
  public Duration left() {
    Duration left = lease.minusNanos(clock.nanoTime() - last.nanos);
    return over || left.isNegative() ? Duration.ZERO : left;
  }

  /** Whether what this tracker last read of its ownership still counts. */
  public boolean isCertain() {
    return doubts == settledDoubts && isHeld();
  }

  /** To be read before a look at the store, for {@link #looked}. */
  public long doubts() {
    return doubts;
  }

  /** Takes note that ownership was read from the store after these doubts had come up. */
  public void looked(long doubtsBefore) {
    settledDoubts = doubtsBefore;
  }

  /**
   * Counts as gone from now on, so that nobody hands it a group any more, while it finishes what is
   * under way under its number. It is not renewed again.
   */
  public synchronized void retire() {
    retired = true;
    if (!over) {
      trackers.retire(self.number(), self.trackerId(), clock.millis());
    }
  }

  /** Ends the lease, so that others need not wait for it to run out. */
  public synchronized void release() {
    over = true;
    trackers.release(self.number(), self.trackerId());
  }
}
