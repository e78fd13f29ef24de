package io.millrace.jobclient.internal.request;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay before the n-th repetition. It doubles from {@link #FIRST} to {@link #LAST}. It is
 * spread randomly over its upper half, so that clients that failed together do not return together.
 */
public final class Backoff {
  public static final Duration FIRST = Duration.ofMillis(100);
  public static final Duration LAST = Duration.ofSeconds(5);

  private static final int LARGEST_SHIFT = 20;

  private final RandomGenerator random;

  public Backoff(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Returns the delay after this many failures in a row.
   *
   * @param failures the number of failures, from 1
   */
  public Duration delay(int failures) {
    long grown = FIRST.toMillis() << Math.min(failures - 1, LARGEST_SHIFT);
    long bound = Math.min(grown, LAST.toMillis());
    return Duration.ofMillis(bound / 2 + random.nextLong(bound / 2 + 1));
  }
}
