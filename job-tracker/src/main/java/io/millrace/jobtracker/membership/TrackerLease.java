package io.millrace.jobtracker.membership;

import io.millrace.common.time.Clock;
import io.millrace.jobtracker.store.TrackerStore;
import java.time.Duration;

/**
 * This tracker's number, leased in the store and renewed while it lives. Losing the lease means
 * that another tracker may carry the number: this one must stop.
 */
public final class TrackerLease {
  private final TrackerStore trackers;
  private final Clock clock;
  private final Duration lease;
  private final Runnable onLost;
  private final TrackerStore.Tracker self;

  private TrackerLease(
      TrackerStore trackers,
      Clock clock,
      Duration lease,
      Runnable onLost,
      TrackerStore.Tracker self) {
    this.trackers = trackers;
    this.clock = clock;
    this.lease = lease;
    this.onLost = onLost;
    this.self = self;
  }

  /**
   * Leases a number.
   *
   * @param onLost called when the lease is found lost
   */
  public static TrackerLease acquire(
      TrackerStore trackers,
      String trackerId,
      String address,
      Clock clock,
      Duration lease,
      Runnable onLost) {
    long now = clock.millis();
    TrackerStore.Tracker self = trackers.acquire(trackerId, address, now, now + lease.toMillis());
    return new TrackerLease(trackers, clock, lease, onLost, self);
  }

  public int number() {
    return self.number();
  }

  /** Renews the lease; returns whether this tracker still has it. */
  public boolean renew() {
    boolean kept =
        trackers.renew(self.number(), self.trackerId(), clock.millis() + lease.toMillis());
    if (!kept) {
      onLost.run();
    }
    return kept;
  }

  /** Ends the lease, so that others need not wait for it to run out. */
  public void release() {
    trackers.release(self.number(), self.trackerId());
  }
}
