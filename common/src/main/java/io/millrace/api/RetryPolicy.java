package io.millrace.api;

import io.millrace.internal.annotation.DefaultWhenMissing;
import java.time.Duration;
import java.util.List;

/**
 * How often and after which delays a failed attempt is repeated. Immutable.
 *
 * @param maxRetries attempts after the first one; 0 means at most once
 * @param firstDelay delay before the first retry
 * @param maxDelay upper bound of the delay
 * @param multiplier growth of the delay from one retry to the next, at least 1
 * @param jitter share of the delay, 0 to 1, by which it is spread evenly around its value
 * @param nonRetryable names of exception classes that end the trigger at once; a subclass counts
 *     too; up to 50, with at most 8,192 characters in all
 */
public record RetryPolicy(
    int maxRetries,
    Duration firstDelay,
    Duration maxDelay,
    double multiplier,
    double jitter,
    List<String> nonRetryable) {

  /** Three retries after about 1, 2 and 4 seconds, spread by a fifth. */
  @DefaultWhenMissing
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(10), 2.0, 0.2, List.of());

  /** At most one attempt. */
  public static final RetryPolicy NONE = DEFAULT.withMaxRetries(0);

  public RetryPolicy {
    nonRetryable = List.copyOf(nonRetryable);
  }

  /** The default spacing with another number of retries. */
  public static RetryPolicy retries(int maxRetries) {
    return DEFAULT.withMaxRetries(maxRetries);
  }

  /** The same policy with another number of retries. */
  public RetryPolicy withMaxRetries(int retries) {
    return new RetryPolicy(retries, firstDelay, maxDelay, multiplier, jitter, nonRetryable);
  }

  /** The same policy with another first delay and another bound. */
  public RetryPolicy withDelays(Duration first, Duration max) {
    return new RetryPolicy(maxRetries, first, max, multiplier, jitter, nonRetryable);
  }

  /** The same policy, giving up at once on exceptions of these classes and their subclasses. */
  @SafeVarargs
  public final RetryPolicy notOn(Class<? extends Throwable>... types) {
    List<String> names = java.util.Arrays.stream(types).map(Class::getName).toList();
    return new RetryPolicy(maxRetries, firstDelay, maxDelay, multiplier, jitter, names);
  }
}
