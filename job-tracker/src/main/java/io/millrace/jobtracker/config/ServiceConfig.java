package io.millrace.jobtracker.config;

import io.millrace.internal.config.Check;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a tracker serves its node groups.
 *
 * @param trackerLease how long a tracker counts as alive after its last renewal
 * @param workers how a tracker serves workers
 * @param preload how much of a waiting table a tracker holds in memory
 * @param reconcilePeriod time between two checks for missing and leftover rows in the tables
 * @param priorityAgeing how long a due trigger waits until its priority rises by one level; null
 *     for no ageing
 * @param reports how often a tracker counts the figures that it reports
 */
public record ServiceConfig(
    Duration trackerLease,
    Workers workers,
    Preload preload,
    Duration reconcilePeriod,
    @Nullable Duration priorityAgeing,
    Reports reports) {

  /**
   * How a tracker serves workers.
   *
   * @param lease how long an execution counts as alive after its worker's last pull
   * @param parkTime how long a pull waits for work before it receives an empty reply
   * @param claimAhead how long before its due time a trigger may be claimed for a free slot; it is
   *     handed to the worker at its due time. With zero, no trigger is claimed ahead
   * @param timeoutGrace how long after its time-out an attempt remains with its worker, which must
   *     end it
   */
  public record Workers(
      Duration lease, Duration parkTime, Duration claimAhead, Duration timeoutGrace) {
    private static final Duration DEFAULT_CLAIM_AHEAD = Duration.ofMillis(20);

    /** Longer than a worker lets an invocation ignore its interrupt, 5 s by default. */
    private static final Duration DEFAULT_TIMEOUT_GRACE = Duration.ofMinutes(1);

    public static final Workers DEFAULT =
        new Workers(Duration.ofSeconds(15), Duration.ofSeconds(1));

    public Workers {
      Check.that(
          lease.compareTo(parkTime.multipliedBy(2)) >= 0,
          "the worker lease must be at least twice the park time, or leases expire between two"
              + " pulls");
      Check.that(parkTime.toMillis() >= 10, "the park time must be at least 10 ms");
      Check.that(
          !claimAhead.isNegative() && claimAhead.toMillis() <= 1_000,
          "the claim-ahead time must be between 0 ms and 1 s");
      Check.that(
          timeoutGrace.toMillis() >= 1_000 && timeoutGrace.compareTo(Duration.ofDays(1)) <= 0,
          "the grace of time-outs must be between 1 s and 1 day");
    }

    /** Triggers are claimed 20 ms ahead, and the grace of time-outs is 1 minute. */
    public Workers(Duration lease, Duration parkTime) {
      this(lease, parkTime, DEFAULT_CLAIM_AHEAD, DEFAULT_TIMEOUT_GRACE);
    }
  }

  /**
   * How much of a waiting table a tracker holds in memory.
   *
   * @param period time between two loads of a waiting table; a hint causes an earlier load
   * @param lookAhead how far ahead triggers are kept on the timer wheel; longer than the period
   * @param dequeCapacity due triggers kept in memory per node group
   * @param dequeBytes bytes of due triggers kept in memory per node group
   * @param aheadCapacity triggers not yet due kept in memory per node group
   */
  public record Preload(
      Duration period, Duration lookAhead, int dequeCapacity, long dequeBytes, int aheadCapacity) {
    public static final Preload DEFAULT = new Preload(Duration.ofSeconds(2), Duration.ofSeconds(5));

    public Preload {
      Check.that(period.toMillis() >= 10, "the preload period must be at least 10 ms");
      Check.that(
          lookAhead.compareTo(period) > 0,
          "the look-ahead must be longer than the preload period, or triggers become due"
              + " between two loads");
      Check.that(dequeCapacity >= 16, "the deque must hold at least 16 triggers");
      Check.that(dequeBytes >= 1 << 20, "the deque must hold at least 1 MiB");
      Check.that(aheadCapacity >= 16, "at least 16 triggers must be kept ahead");
    }

    /** The deque holds 2,000 triggers and 64 MiB; 20,000 triggers are kept ahead. */
    public Preload(Duration period, Duration lookAhead) {
      this(period, lookAhead, 2_000, 64L << 20, 20_000);
    }
  }

  /**
   * How often a tracker counts the figures that it reports; there is no configuration key.
   *
   * @param measure time between two counts for gauges and alerts
   * @param fleet time between two reports of workers and node groups for operators
   */
  public record Reports(Duration measure, Duration fleet) {
    public static final Reports DEFAULT = new Reports(Duration.ofSeconds(5), Duration.ofSeconds(3));

    public Reports {
      Check.that(
          measure.toMillis() >= 10 && fleet.toMillis() >= 10,
          "the displayed counts can be refreshed every 10 ms at most");
    }
  }

  public static final ServiceConfig DEFAULT =
      new ServiceConfig(
          Duration.ofSeconds(10), Workers.DEFAULT, Preload.DEFAULT, Duration.ofMinutes(5));

  public ServiceConfig {
    Check.that(trackerLease.toMillis() >= 500, "the tracker lease must be at least 500 ms");
    Check.that(reconcilePeriod.toMillis() >= 1_000, "the reconcile period must be at least 1 s");
    PriorityOrder unused = orderOf(priorityAgeing);
  }

  /** A configuration without ageing of priorities, with the default periods of reports. */
  public ServiceConfig(
      Duration trackerLease, Workers workers, Preload preload, Duration reconcilePeriod) {
    this(trackerLease, workers, preload, reconcilePeriod, null, Reports.DEFAULT);
  }

  /** The same configuration with other periods of reports. */
  public ServiceConfig reporting(Reports others) {
    return new ServiceConfig(
        trackerLease, workers, preload, reconcilePeriod, priorityAgeing, others);
  }

  /** The order in which due triggers are assigned to workers. */
  public PriorityOrder priorityOrder() {
    return orderOf(priorityAgeing);
  }

  private static PriorityOrder orderOf(@Nullable Duration ageing) {
    return ageing == null ? PriorityOrder.STRICT : PriorityOrder.ageing(ageing);
  }
}
