package io.millrace.jobtracker.domain.retry;

import io.millrace.common.model.RetryPolicy;
import java.util.List;
import java.util.random.RandomGenerator;

/** What follows a failed attempt. */
public sealed interface RetryDecision {

  /**
   * Another attempt.
   *
   * @param delayMillis how long after the failure it may start
   */
  record Retry(long delayMillis) implements RetryDecision {}

  /** No further attempt. */
  enum GiveUp implements RetryDecision {
    /** The policy allows no further retry. */
    RETRIES_USED_UP,
    /** The policy names the exception as one that is not retried. */
    NOT_RETRYABLE
  }

  /**
   * Decides by the policy.
   *
   * @param policy the job's policy
   * @param attempt the number of the attempt that failed, from 1
   * @param exceptionTypes the class names of the exception and of its superclasses; empty if the
   *     attempt ended without one
   * @param random source of the spread of the delay
   */
  static RetryDecision after(
      RetryPolicy policy, int attempt, List<String> exceptionTypes, RandomGenerator random) {
    if (!isRetryable(policy, exceptionTypes)) {
      return GiveUp.NOT_RETRYABLE;
    }
    return attempt > policy.maxRetries()
        ? GiveUp.RETRIES_USED_UP
        : new Retry(Backoff.delayMillis(policy, attempt, random));
  }

  /** Whether the policy allows a retry after an exception of these classes. */
  static boolean isRetryable(RetryPolicy policy, List<String> exceptionTypes) {
    return policy.nonRetryable().stream().noneMatch(exceptionTypes::contains);
  }
}
