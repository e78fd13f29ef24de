package io.millrace.jobtracker.config;

import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a tracker serves its node groups.
 *
 * @param trackerLease how long a tracker counts as alive after its last renewal
 * @param workerLease how long an execution counts as alive after its worker's last pull
 * @param parkTime how long a pull waits for work before it receives an empty reply
 * @param claimAhead how long before its due time a trigger may be claimed for a free slot; it is
 *     handed to the worker at its due time. With zero, no trigger is claimed ahead
 * @param preloadPeriod time between two loads of a waiting table; a hint causes an earlier load
 * @param lookAhead how far ahead triggers are kept on the timer wheel; longer than the preload
 *     period
 * @param dequeCapacity due triggers kept in memory per node group
 * @param dequeBytes bytes of due triggers kept in memory per node group
 * @param aheadCapacity triggers not yet due kept in memory per node group
 * @param reconcilePeriod time between two checks for missing and leftover rows in the tables
 * @param priorityAgeing how long a due trigger waits until its priority rises by one level; null
 *     for no ageing
 * @param timeoutGrace how long after its time-out an attempt remains with its worker, which must
 *     end it; 1 minute by default
 * @param reports how often a tracker counts the figures that it reports
 */
public record ServiceConfig(
    Duration trackerLease,
    Duration workerLease,
    Duration parkTime,
    Duration claimAhead,
    Duration preloadPeriod,
    Duration lookAhead,
    int dequeCapacity,
    long dequeBytes,
    int aheadCapacity,
    Duration reconcilePeriod,
    @Nullable Duration priorityAgeing,
    Duration timeoutGrace,
    Reports reports) {

  /**
   * How often a tracker counts the figures that it reports; there is no configuration key.
   *
   * @param measure time between two counts for gauges and alerts
   * @param fleet time between two reports of workers and node groups for operators
   */
  public record Reports(Duration measure, Duration fleet) {
    public static final Reports DEFAULT = new Reports(Duration.ofSeconds(5), Duration.ofSeconds(3));

    public Reports {
      // Does not call require() of ServiceConfig: that class needs this record's DEFAULT to
      // initialize.
      if (measure.toMillis() < 10 || fleet.toMillis() < 10) {
        throw new IllegalArgumentException(
            "the displayed counts can be refreshed every 10 ms at most");
      }
    }
  }

  /**
   * The default grace. It is longer than a worker lets a body ignore its interrupt, 5 s by default.
   */
  public static final Duration DEFAULT_TIMEOUT_GRACE = Duration.ofMinutes(1);

  public static final ServiceConfig DEFAULT =
      new ServiceConfig(
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Duration.ofSeconds(1),
          Duration.ofMillis(20),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          2_000,
          64L << 20,
          20_000,
          Duration.ofMinutes(5));

  public ServiceConfig {
    require(trackerLease.toMillis() >= 500, "the tracker lease must be at least 500 ms");
    require(
        workerLease.compareTo(parkTime.multipliedBy(2)) >= 0,
        "the worker lease must be at least twice the park time, or leases expire between two"
            + " pulls");
    require(parkTime.toMillis() >= 10, "the park time must be at least 10 ms");
    require(
        !claimAhead.isNegative() && claimAhead.toMillis() <= 1_000,
        "the claim-ahead time must be between 0 ms and 1 s");
    require(preloadPeriod.toMillis() >= 10, "the preload period must be at least 10 ms");
    require(
        lookAhead.compareTo(preloadPeriod) > 0,
        "the look-ahead must be longer than the preload period, or triggers become due"
            + " between two loads");
    require(dequeCapacity >= 16, "the deque must hold at least 16 triggers");
    require(dequeBytes >= 1 << 20, "the deque must hold at least 1 MiB");
    require(aheadCapacity >= 16, "at least 16 triggers must be kept ahead");
    require(reconcilePeriod.toMillis() >= 1_000, "the reconcile period must be at least 1 s");
    require(
        timeoutGrace.toMillis() >= 1_000 && timeoutGrace.compareTo(Duration.ofDays(1)) <= 0,
        "the grace of time-outs must be between 1 s and 1 day");
    PriorityOrder unused = orderOf(priorityAgeing);
  }

  /**
   * A configuration without ageing of priorities, with the default grace of time-outs and the
   * default periods of reports.
   */
  public ServiceConfig(
      Duration trackerLease,
      Duration workerLease,
      Duration parkTime,
      Duration claimAhead,
      Duration preloadPeriod,
      Duration lookAhead,
      int dequeCapacity,
      long dequeBytes,
      int aheadCapacity,
      Duration reconcilePeriod) {
    this(
        trackerLease,
        workerLease,
        parkTime,
        claimAhead,
        preloadPeriod,
        lookAhead,
        dequeCapacity,
        dequeBytes,
        aheadCapacity,
        reconcilePeriod,
        null,
        DEFAULT_TIMEOUT_GRACE,
        Reports.DEFAULT);
  }

  /** The same configuration with other periods of reports. */
  public ServiceConfig reporting(Reports others) {
    return new ServiceConfig(
        trackerLease,
        workerLease,
        parkTime,
        claimAhead,
        preloadPeriod,
        lookAhead,
        dequeCapacity,
        dequeBytes,
        aheadCapacity,
        reconcilePeriod,
        priorityAgeing,
        timeoutGrace,
        others);
  }

  /** The order in which due triggers are assigned to workers. */
  public PriorityOrder priorityOrder() {
    return orderOf(priorityAgeing);
  }

  private static PriorityOrder orderOf(@Nullable Duration ageing) {
    return ageing == null ? PriorityOrder.STRICT : PriorityOrder.ageing(ageing);
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }
}
