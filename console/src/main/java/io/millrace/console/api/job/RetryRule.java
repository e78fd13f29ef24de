package io.millrace.console.api.job;

import io.millrace.common.model.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How often and with what delays a failed attempt is retried. Null fields have their defaults.
 *
 * @param maxRetries attempts after the first; 0 means no retry
 * @param firstDelay before the first retry
 * @param maxDelay upper bound of the growing delay
 * @param multiplier factor by which the delay grows
 * @param jitter fraction of the delay, 0 to 1, by which the delay is randomized
 * @param nonRetryable names of exception classes that end the trigger at once
 */
public record RetryRule(
    @Nullable Integer maxRetries,
    @Nullable Duration firstDelay,
    @Nullable Duration maxDelay,
    @Nullable Double multiplier,
    @Nullable Double jitter,
    @Nullable List<String> nonRetryable) {

  static RetryRule of(RetryPolicy policy) {
    return new RetryRule(
        policy.maxRetries(),
        policy.firstDelay(),
        policy.maxDelay(),
        policy.multiplier(),
        policy.jitter(),
        policy.nonRetryable());
  }

  RetryPolicy toPolicy() {
    RetryPolicy usual = RetryPolicy.DEFAULT;
    return new RetryPolicy(
        maxRetries == null ? usual.maxRetries() : maxRetries,
        firstDelay == null ? usual.firstDelay() : firstDelay,
        maxDelay == null ? usual.maxDelay() : maxDelay,
        multiplier == null ? usual.multiplier() : multiplier,
        jitter == null ? usual.jitter() : jitter,
        nonRetryable == null ? usual.nonRetryable() : nonRetryable);
  }
}
