package io.millrace.jobtracker.cluster;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.engine.WakeUp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the node groups of this tracker in line with the store, and drops those that have been
 * unused for long. Thread-safe.
 */
public final class OwnershipService implements EngineService {
  private static final Logger LOG = LoggerFactory.getLogger(OwnershipService.class);
  private static final Duration DROP_PERIOD = Duration.ofHours(1);

  private final GroupTransfers<?> transfers;
  private final GroupRegistry<? extends GroupTransfers.Group> registry;
  private final TrackerLease lease;
  private final TimedExecutor time;
  private final CoalescedRefresh sharedLook;
  private final RepeatedTimer own;
  private final @Nullable RepeatedTimer dropUnused;

  /**
   * @param look wakes the timer that reads ownership
   * @param period between two reads of ownership
   */
  public OwnershipService(
      GroupTransfers<?> transfers,
      GroupRegistry<? extends GroupTransfers.Group> registry,
      TrackerLease lease,
      UnusedGroups unused,
      Timers timers,
      WakeUp look,
      Duration period) {
    this.transfers = transfers;
    this.registry = registry;
    this.lease = lease;
    this.time = timers.time();
    this.sharedLook = new CoalescedRefresh(time, this::lookOnce);
    this.own =
        timers.timer(
            "own node groups",
            Pace.every(period),
            look,
            now -> {
              lookOnce();
              return null;
            });
    this.dropUnused = unused.after().isZero() ? null : dropTimer(unused, timers);
  }

  private static RepeatedTimer dropTimer(UnusedGroups unused, Timers timers) {
    Duration after = unused.after();
    return timers.timer(
        "drop unused node groups",
        Pace.every(after.compareTo(DROP_PERIOD) > 0 ? DROP_PERIOD : after),
        Duty.counting("node groups dropped", now -> unused.runOnce(now).size()));
  }

  /** Takes the node groups assigned to this tracker and starts the timers. */
  @Override
  public void start() {
    lookOnce();
    own.start();
    if (dropUnused != null) {
      dropUnused.start();
    }
  }

  /** Triggers a read of ownership if the tracker is not certain what it owns. */
  public void lookIfInDoubt() {
    if (!lease.isCertain()) {
      own.wake();
    }
  }

  /** Completes after an ownership read that begins after this call, exceptionally if it failed. */
  public CompletableFuture<Void> lookSoon() {
    return sharedLook.soon();
  }

  /**
   * Reads ownership in the calling thread. If ownership was in doubt and is certain now, assigns
   * the due triggers that were held back.
   */
  public void lookOnce() {
    boolean wasCertain = lease.isCertain();
    try {
      GroupTransfers.Changed unused = transfers.runOnce(time.millis());
    } finally {
      if (!wasCertain && lease.isCertain()) {
        registry.all().forEach(GroupTransfers.Group::dispatch);
      }
    }
  }

  /**
   * Retires the lease at once, so that no group comes back, and hands the groups over. Waits only
   * for work that is under way.
   */
  @Override
  public CompletableFuture<Void> stop() {
    CompletableFuture<Void> dropped =
        dropUnused == null ? CompletableFuture.completedFuture(null) : dropUnused.destroy();
    CompletableFuture<Void> timers = CompletableFuture.allOf(own.destroy(), dropped);
    try {
      lease.retire();
    } catch (RuntimeException e) {
      LOG.warn("tracker: its lease could not be ended before it expires", e);
    }
    return CompletableFuture.allOf(timers, transfers.end(time.millis()));
  }
}
