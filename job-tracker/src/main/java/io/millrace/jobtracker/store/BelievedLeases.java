package io.millrace.jobtracker.store;

import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live trackers without those whose lease is implausibly long: if the database's clock was set
 * back, the row of a dead tracker holds a lease end far in the future.
 *
 * <p>A lease that ends more than two leases from now counts as held while the tracker renews it,
 * and for two leases after the last observed renewal, measured by the monotonic clock. A live
 * tracker renews three times within each lease, by its own clock, so a clock change never makes it
 * count as dead. Thread-safe.
 */
public final class BelievedLeases implements LiveTrackers {
  private static final Logger LOG = LoggerFactory.getLogger(BelievedLeases.class);

  private final LiveTrackers real;
  private final Clock clock;
  private final Duration longest;
  private final Map<Integer, Sight> sights = new HashMap<>();

  /** A lease that ends too late, and the time since which it has not been renewed. */
  private record Sight(Tracker tracker, long sinceNanos, boolean told) {
    boolean isOf(Tracker seen) {
      return tracker.trackerId().equals(seen.trackerId())
          && tracker.leaseUntil() == seen.leaseUntil();
    }
  }

  /**
   * Filters the trackers of the store, {@code real}.
   *
   * @param lease the lease of this tracker; the leases of the others may be twice as long
   */
  public BelievedLeases(LiveTrackers real, Clock clock, Duration lease) {
    this.real = real;
    this.clock = clock;
    this.longest = lease.multipliedBy(2);
  }

  @Override
  public List<Tracker> at(long now) {
    List<Tracker> live = real.at(now);
    long nanos = clock.nanoTime();
    synchronized (this) {
      Set<Integer> doubtful =
          live.stream()
              .filter(tracker -> endsTooLate(tracker, now))
              .map(Tracker::number)
              .collect(Collectors.toSet());
      sights.keySet().retainAll(doubtful);
      return live.stream()
          .filter(tracker -> !doubtful.contains(tracker.number()) || isRenewed(tracker, nanos))
          .toList();
    }
  }

  private boolean endsTooLate(Tracker tracker, long now) {
    return tracker.leaseUntil() - now > longest.toMillis();
  }

  private boolean isRenewed(Tracker tracker, long nanos) {
    Sight before = sights.get(tracker.number());
    Sight sight =
        before != null && before.isOf(tracker) ? before : new Sight(tracker, nanos, false);
    boolean renewed = nanos - sight.sinceNanos() <= longest.toNanos();
    if (!renewed && !sight.told()) {
      LOG.warn(
          "membership: the lease of tracker {} at {} lasts for more than {} without a"
              + " renewal: it counts as expired, and the database's clock was probably set back",
          tracker.number(),
          tracker.address(),
          longest);
    }
    sights.put(tracker.number(), new Sight(tracker, sight.sinceNanos(), sight.told() || !renewed));
    return renewed;
  }
}
