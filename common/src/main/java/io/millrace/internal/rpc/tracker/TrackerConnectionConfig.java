package io.millrace.internal.rpc.tracker;

import java.time.Duration;
import java.util.List;

/**
 * The addresses of the trackers, and the pauses between attempts.
 *
 * @param addresses at least one, tried in random order
 * @param firstBackoff pause after all addresses have failed once; it doubles with each further
 *     round
 * @param maxBackoff upper bound of the pause
 */
public record TrackerConnectionConfig(
    List<String> addresses, Duration firstBackoff, Duration maxBackoff) {

  public static final Duration DEFAULT_FIRST_BACKOFF = Duration.ofMillis(200);
  public static final Duration DEFAULT_MAX_BACKOFF = Duration.ofSeconds(10);

  public TrackerConnectionConfig {
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("no tracker address is given");
    }
    if (firstBackoff.isNegative()
        || firstBackoff.isZero()
        || maxBackoff.compareTo(firstBackoff) < 0) {
      throw new IllegalArgumentException(
          "backoff is out of bounds: " + firstBackoff + " to " + maxBackoff);
    }
  }

  /** These addresses, with pauses that grow from 200 ms to 10 s. */
  public static TrackerConnectionConfig of(List<String> addresses) {
    return new TrackerConnectionConfig(addresses, DEFAULT_FIRST_BACKOFF, DEFAULT_MAX_BACKOFF);
  }

  /** The pause after this many rounds have failed, from 1, before any jitter. */
  Duration backoff(int rounds) {
    int doublings = Math.min(rounds - 1, 30);
    Duration grown = firstBackoff.multipliedBy(1L << doublings);
    return grown.compareTo(maxBackoff) < 0 ? grown : maxBackoff;
  }
}
