package io.millrace.jobclient.internal.relay;

import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Duty;
import io.millrace.jobclient.internal.request.Backoff;
import io.millrace.jobclient.internal.request.RequestContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass of a relay: keeps the leases, measures the lag, and sends what can be sent. Runs on one
 * thread at a time.
 */
public final class RelayDuty implements Duty {
  private static final Logger LOG = LoggerFactory.getLogger(RelayDuty.class);

  /** How long after a pass without a connected tracker the next one looks again. */
  private static final Duration CONNECTING = Duration.ofSeconds(1);

  private final RequestContext context;
  private final EnqueuedRows rows;
  private final PartitionLeases leases;
  private final RelaySender sender;
  private final RelayMeasures measures;
  private final RelayLag lag;
  private final Backoff backoff;
  private final LogLimiter log;
  private volatile int partitions;
  private int failures;
  private long pausedUntilNanos;
  private @Nullable Duration nextLook;

  /**
   * @param context reaches trackers; its executor is not used
   * @param lease how long a relay that ends without a word holds its partitions
   */
  public RelayDuty(
      RequestContext context,
      RelayDatabase database,
      RelayTables tables,
      Duration lease,
      RelayMeasures measures) {
    Clock clock = context.clock();
    this.context = context;
    this.rows = new EnqueuedRows(database, tables);
    this.leases = new PartitionLeases(database, tables, clock, lease);
    this.sender = new RelaySender(context);
    this.measures = measures;
    this.lag = new RelayLag(clock);
    this.backoff = new Backoff(context.random());
    this.log = new LogLimiter(clock);
  }

  /** Returns null: what a pass did is in the meters. */
  @Override
  public @Nullable Object runOnce(long nowMillis) {
    nextLook = null;
    try {
      leases.keep();
      partitions = leases.held().size();
      EnqueuedRows.Oldest oldest = rows.oldest();
      lag.measured(oldest.ageMillis());
      if (oldest.createdAt() != null && !isPaused()) {
        sweep();
      }
    } catch (RelayFailedException e) {
      log.write("database", ending -> LOG.warn("{}{}", e.getMessage(), ending));
    }
    return null;
  }

  /**
   * Returns after how long the next pass may send rows that this one found: zero if at once, and
   * null if this one left none that could be sent.
   */
  public @Nullable Duration nextLook() {
    return nextLook;
  }

  private boolean isPaused() {
    Duration rest = Duration.ofNanos(pausedUntilNanos - context.clock().nanoTime());
    boolean isPaused = failures > 0 && rest.compareTo(Duration.ZERO) > 0;
    if (isPaused) {
      nextLook = rest;
    }
    return isPaused;
  }

  /** After a tracker could not store what it was sent, the next sweep waits for a moment. */
  private void sweep() {
    if (!sender.isConnected()) {
      nextLook = CONNECTING;
      return;
    }
    RelaySweep.Outcome outcome = new RelaySweep(rows, leases, sender, measures).run();
    RpcException failure = outcome.failure();
    if (failure == null && !outcome.putOff()) {
      failures = 0;
      nextLook = outcome.more() ? Duration.ZERO : null;
      return;
    }
    failures++;
    Duration pause = backoff.delay(failures);
    pausedUntilNanos = context.clock().nanoTime() + pause.toNanos();
    nextLook = pause;
    String why = failure == null ? "trackers store nothing for it now" : failure.toString();
    log.write(
        "not sent", ending -> LOG.warn("not all that is enqueued was sent: {}{}", why, ending));
  }

  /** Gives the leases up, after the last pass. A failure is logged. */
  public void release() {
    try {
      leases.release();
    } catch (RelayFailedException e) {
      LOG.warn("{}; another relay takes over when they are over", e.getMessage());
    }
    partitions = 0;
  }

  /** Returns how many partitions this relay holds. */
  public int partitions() {
    return partitions;
  }

  public RelayLag lag() {
    return lag;
  }
}
