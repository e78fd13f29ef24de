package io.millrace.console.api.job;

import io.millrace.common.model.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How often and how late a failed attempt is repeated. What is left out is as it is by default.
 *
 * @param maxRetries attempts after the first one; 0 means at most once
 * @param firstDelay before the first retry
 * @param maxDelay bound of the growing delay
 * @param multiplier growth of the delay
 * @param jitter share of the delay, 0 to 1, by which it is spread
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
