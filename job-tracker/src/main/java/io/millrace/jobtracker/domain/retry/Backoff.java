package io.millrace.jobtracker.domain.retry;

import io.millrace.api.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before a retry. */
public final class Backoff {
  private static final long LONGEST_MILLIS = Duration.ofDays(36_525).toMillis();

  private Backoff() {}

  /**
   * The delay before a retry in milliseconds: {@code firstDelay * multiplier^(retryNumber - 1)}, at
   * most {@code maxDelay}, then spread evenly by up to {@code jitter} of it in both directions. So
   * half of the delays at the bound are above it: cutting them would bring together the retries
   * that jitter keeps apart.
   *
   * @param policy a valid policy, see {@link io.millrace.internal.model.job.RetryPolicyValidator}
   * @param retryNumber 1 for the first retry
   * @param random source of the spread
   */
  public static long delayMillis(RetryPolicy policy, int retryNumber, RandomGenerator random) {
    if (retryNumber < 1) {
      throw new IllegalArgumentException("retry number " + retryNumber + " is less than 1");
    }
    double bound = policy.maxDelay().toMillis();
    double growth = Math.pow(policy.multiplier(), retryNumber - 1.0);
    double first = policy.firstDelay().toMillis();
    // Zero times an infinite growth is not a number.
    double delay = first == 0 ? 0 : Math.min(first * growth, bound);
    double spread = policy.jitter() * (2 * random.nextDouble() - 1);
    return Math.min(Math.round(delay * (1 + spread)), LONGEST_MILLIS);
  }
}
