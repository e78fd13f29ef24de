package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Check;
import io.millrace.internal.model.job.WorkerLabels;
import io.millrace.internal.protocol.PullRequest;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/**
 * The configuration of the pulls of a worker.
 *
 * @param slots maximum number of executions that run at once; 1 to {@value #MAX_SLOTS}
 * @param prefetch maximum number of executions that wait in this worker for a slot, 0 to {@value
 *     #MAX_SLOTS}; {@link Prefetch} calculates the current number
 * @param interval time between two pulls if no other event causes one; positive, at most 5 s
 * @param giveUpAfter how long the worker waits for an answer; longer than a tracker parks a pull;
 *     positive
 * @param retryDelay pause after a failed pull; positive
 * @param maxUnacknowledged maximum number of ended executions whose results the tracker has not
 *     acknowledged, 1 to {@value #MAX_UNACKNOWLEDGED}; while there are more, no new work is pulled
 * @param process distinguishes this process from others with the same node id, see {@link
 *     PullRequest#processOf}; 0 if no other process ever has the id
 * @param labels what jobs may require of the worker
 */
public record PullConfig(
    int slots,
    int prefetch,
    Duration interval,
    Duration giveUpAfter,
    Duration retryDelay,
    int maxUnacknowledged,
    long process,
    List<String> labels) {

  /** The upper bound of the interval; with a longer one, leases would end between pulls. */
  public static final Duration MAX_INTERVAL = Duration.ofSeconds(5);

  /** The upper bound of slots; trackers refuse a pull for more. */
  public static final int MAX_SLOTS = 10_000;

  /**
   * The upper bound of unacknowledged results. Every pull lists the held executions, and trackers
   * refuse a list that is too long.
   */
  public static final int MAX_UNACKNOWLEDGED = 30_000;

  public PullConfig {
    Bounds.between(1, MAX_SLOTS).check("slots", slots);
    Bounds.between(0, MAX_SLOTS).check("prefetch", prefetch);
    Bounds.between(1, MAX_UNACKNOWLEDGED).check("maxUnacknowledged", maxUnacknowledged);
    Check.positive("interval", interval);
    Check.positive("giveUpAfter", giveUpAfter);
    Check.positive("retryDelay", retryDelay);
    Check.that(
        interval.compareTo(MAX_INTERVAL) <= 0,
        "interval must be at most "
            + MAX_INTERVAL
            + ", because pulls renew the leases of running executions: "
            + interval);
    labels = List.copyOf(new TreeSet<>(labels));
    String fault = WorkerLabels.faultOf(labels);
    Check.that(fault == null, String.valueOf(fault));
  }
}
