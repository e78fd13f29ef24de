package io.millrace.tasktracker.pull;

import io.millrace.common.protocol.PullRequest;
import java.time.Duration;

/**
 * How a worker pulls.
 *
 * @param slots executions that may run at once
 * @param prefetch executions that may wait here for a slot; how many do, {@link Prefetch} says
 * @param interval time between two pulls when nothing else causes one
 * @param giveUpAfter how long an answer is waited for; longer than a tracker parks a pull
 * @param retryDelay pause after a failed pull
 * @param maxUnacknowledged ended executions whose results the tracker has not acknowledged; while
 *     there are more, nothing new is asked for
 * @param process tells this process from others of the same node id, see {@link
 *     PullRequest#processOf}; 0 if no other ever has it
 */
public record PullConfig(
    int slots,
    int prefetch,
    Duration interval,
    Duration giveUpAfter,
    Duration retryDelay,
    int maxUnacknowledged,
    long process) {

  /** A longer interval would let leases run out. */
  public static final Duration MAX_INTERVAL = Duration.ofSeconds(5);

  /** Trackers refuse a pull for more. */
  public static final int MAX_SLOTS = 10_000;

  /** What is held is listed in every pull, and trackers refuse a list that is too long. */
  public static final int MAX_UNACKNOWLEDGED = 30_000;

  public PullConfig {
    requireBetween("slots", slots, 1, MAX_SLOTS);
    requireBetween("prefetch", prefetch, 0, MAX_SLOTS);
    requireBetween("maxUnacknowledged", maxUnacknowledged, 1, MAX_UNACKNOWLEDGED);
    requirePositive("interval", interval);
    requirePositive("giveUpAfter", giveUpAfter);
    requirePositive("retryDelay", retryDelay);
    if (interval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "interval must be at most "
              + MAX_INTERVAL
              + ", because pulls renew the leases of what runs: "
              + interval);
    }
  }

  /** For a process whose node id no other ever has. */
  public PullConfig(
      int slots,
      int prefetch,
      Duration interval,
      Duration giveUpAfter,
      Duration retryDelay,
      int maxUnacknowledged) {
    this(slots, prefetch, interval, giveUpAfter, retryDelay, maxUnacknowledged, 0);
  }

  private static void requireBetween(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be between " + min + " and " + max + ": " + value);
    }
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }
}
