package io.millrace.jobtracker.cluster;

import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.store.TrackerStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of this tracker's number, held in the store and renewed while the tracker lives. If the
 * lease is lost, another tracker may carry the number, so this tracker must stop.
 *
 * <p>A process that was suspended for a while does not notice that when it resumes. So the lease
 * counts as held only until a renewal is late by half a lease, measured by both the monotonic clock
 * and the database's clock; that is before the lease runs out in the store. After a renewal that is
 * so late, the tracker is certain of its node groups only when it has read ownership from the store
 * again. Thread-safe.
 *
 * <p>The lease states the {@link FeatureLevel} of this software. Whoever raises the required level
 * looks at the leases before and after; so a tracker reads the required level after it has leased
 * its number, and again after a renewal that was so late that its lease may not have been seen.
 */
public final class TrackerLease {
  private static final Logger LOG = LoggerFactory.getLogger(TrackerLease.class);

  /** The number of renewals per lease: one after each third. */
  private static final int RENEWALS_PER_LEASE = 3;

  private final TrackerStore trackers;
  private final Clock clock;
  private final Duration lease;
  private final Consumer<String> onLost;
  private final TrackerStore.Tracker self;

  /** Computed once: each claim asks whether the lease is held. */
  private final long lateAfterMillis;

  private volatile Renewal last;
  private volatile boolean over;
  private boolean retired;
  private volatile long doubts;
  private volatile long settledDoubts;

  /** When the last successful renewal was sent, by the monotonic and by the database's clock. */
  private record Renewal(long nanos, long millis) {}

  private TrackerLease(
      TrackerStore trackers,
      Clock clock,
      Duration lease,
      Consumer<String> onLost,
      TrackerStore.Tracker self,
      Renewal first) {
    this.trackers = trackers;
    this.clock = clock;
    this.lease = lease;
    this.onLost = onLost;
    this.self = self;
    this.last = first;
    this.lateAfterMillis = period().plus(lease.dividedBy(2)).toMillis();
  }

  /**
   * Leases a number.
   *
   * @param address where nodes reach the tracker; {@link TrackerStore#STARTING} if it is announced
   *     later
   * @param onLost receives the reason when this tracker must stop: the lease is lost, or the
   *     tracker is below the required level
   */
  public static TrackerLease acquire(
      TrackerStore trackers,
      String trackerId,
      String address,
      Clock clock,
      Duration lease,
      Consumer<String> onLost) {
    Renewal first = new Renewal(clock.nanoTime(), clock.millis());
    TrackerStore.Tracker self =
        trackers.acquire(trackerId, address, first.millis, first.millis + lease.toMillis());
    return new TrackerLease(trackers, clock, lease, onLost, self, first);
  }

  public int number() {
    return self.number();
  }

  /**
   * Checks that this software knows all that is stored.
   *
   * @throws IllegalStateException if it is below the required level; it must not serve
   */
  public void checkLevel() {
    String outdated = outdated();
    if (outdated != null) {
      throw new IllegalStateException(outdated);
    }
  }

  /** Why this software is too old for what is stored; null if it is not. */
  private @Nullable String outdated() {
    FeatureLevel required = trackers.requiredLevel();
    return FeatureLevel.OWN.covers(required)
        ? null
        : "stored jobs need trackers of feature level "
            + required
            + ", and this one has level "
            + FeatureLevel.OWN
            + "; start a newer version";
  }

  /** The time between two renewals. */
  public Duration period() {
    return lease.dividedBy(RENEWALS_PER_LEASE);
  }

  /**
   * Renews the lease and publishes the address. From now on the other trackers hand node groups to
   * this one, so it must be ready to serve them: a group that is handed to a tracker that is still
   * starting is not served, and its workers give up their executions.
   */
  public void announce(String address) {
    if (renew()) {
      trackers.announce(self.number(), self.trackerId(), address);
    }
  }

  /**
   * The timer that renews the lease in time, regardless of the load on other threads.
   *
   * @param executor runs the renewals; its thread must do nothing else
   * @param onRenewed called after each renewal, even a late one
   */
  public RepeatedTimer renewals(Timers timers, Executor executor, Runnable onRenewed) {
    return timers.timer(
        "renew lease",
        Pace.every(period()),
        executor,
        now -> {
          if (renew()) {
            onRenewed.run();
          }
          return null;
        });
  }

  /** Renews the lease; returns whether this tracker still holds it. */
  public boolean renew() {
    boolean wasOver = over;
    String lost = tryRenew();
    if (lost != null && !wasOver) {
      onLost.accept(lost);
    }
    return !over;
  }

  /**
   * Returns why the lease is lost, or null. A loss is handled outside the lock: that may wait for a
   * thread that waits for the lock.
   */
  private synchronized @Nullable String tryRenew() {
    if (over || retired) {
      return null;
    }
    Renewal next = new Renewal(clock.nanoTime(), clock.millis());
    if (!trackers.renew(self.number(), self.trackerId(), next.millis + lease.toMillis())) {
      over = true;
      return "another tracker has taken this tracker's lease";
    }
    // Checked after the renewal: the lease may have run out while that was under way.
    boolean late = !isHeld();
    if (late) {
      String outdated = outdated();
      if (outdated != null) {
        over = true;
        return outdated;
      }
      LOG.warn(
          "membership: the lease was renewed late; checking which node groups this tracker"
              + " still owns");
      doubts++;
    }
    last = next;
    return null;
  }

  /**
   * Whether no other tracker can carry this tracker's number yet. Check this before any action that
   * must not happen twice under one number, for example issuing an id.
   */
  public boolean isHeld() {
    Renewal renewal = last;
    return !over
        && (clock.nanoTime() - renewal.nanos) / 1_000_000 <= lateAfterMillis
        && clock.millis() - renewal.millis <= lateAfterMillis;
  }

  /** The remaining time of the lease if it is not renewed; zero once it is over. */
  public Duration left() {
    Duration left = lease.minusNanos(clock.nanoTime() - last.nanos);
    return over || left.isNegative() ? Duration.ZERO : left;
  }

  /** Whether the ownership that this tracker last read is still certain. */
  public boolean isCertain() {
    return doubts == settledDoubts && isHeld();
  }

  /** The number of doubts; read before reading the store, for {@link #looked}. */
  public long doubts() {
    return doubts;
  }

  /** Records that ownership was read from the store after these doubts arose. */
  public void looked(long doubtsBefore) {
    settledDoubts = doubtsBefore;
  }

  /**
   * Marks this tracker as gone, so that no tracker hands it a node group, while it finishes the
   * work under way under its number. The lease is not renewed again.
   */
  public synchronized void retire() {
    retired = true;
    if (!over) {
      trackers.retire(self.number(), self.trackerId(), clock.millis());
    }
  }

  /** Ends the lease, so that other trackers need not wait for it to run out. */
  public synchronized void release() {
    over = true;
    trackers.release(self.number(), self.trackerId());
  }
}
