package io.millrace.internal.model.job;

import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.NameText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a retry policy can be accepted. */
public final class RetryPolicyValidator {
  static final int MAX_RETRIES = 1_000;
  static final int MAX_NON_RETRYABLE = 50;
  static final int MAX_NAME_LENGTH = 512;

  /**
   * The most characters of all names together: with six characters for each when escaped, they
   * still fit the 64 KiB of MySQL's TEXT.
   */
  static final int MAX_NAMES_LENGTH = 8_192;

  static final Duration LONGEST_DELAY = Duration.ofDays(36_525);

  private RetryPolicyValidator() {}

  /** The first fault of the policy, or empty if it is valid. */
  public static Optional<Rejection> check(RetryPolicy policy) {
    if (policy.maxRetries() < 0 || policy.maxRetries() > MAX_RETRIES) {
      return bad("maxRetries " + policy.maxRetries() + " must be between 0 and " + MAX_RETRIES);
    }
    if (!isDelay(policy.firstDelay())) {
      return bad("firstDelay " + policy.firstDelay() + " must be between 0 and " + LONGEST_DELAY);
    }
    if (!isDelay(policy.maxDelay())) {
      return bad("maxDelay " + policy.maxDelay() + " must be between 0 and " + LONGEST_DELAY);
    }
    if (!(policy.multiplier() >= 1 && Double.isFinite(policy.multiplier()))) {
      return bad("multiplier " + policy.multiplier() + " must be a number of at least 1");
    }
    if (!(policy.jitter() >= 0 && policy.jitter() <= 1)) {
      return bad("jitter " + policy.jitter() + " must be between 0 and 1");
    }
    return checkNames(policy);
  }

  private static Optional<Rejection> checkNames(RetryPolicy policy) {
    int count = policy.nonRetryable().size();
    if (count == 0) {
      return Optional.empty();
    }
    if (count > MAX_NON_RETRYABLE) {
      return bad(count + " non-retryable exceptions; the limit is " + MAX_NON_RETRYABLE);
    }
    int length = policy.nonRetryable().stream().mapToInt(String::length).sum();
    if (length > MAX_NAMES_LENGTH) {
      return bad(
          "the names of the non-retryable exceptions have "
              + length
              + " characters in total; the limit is "
              + MAX_NAMES_LENGTH);
    }
    return policy.nonRetryable().stream().flatMap(name -> checkName(name).stream()).findFirst();
  }

  private static Optional<Rejection> checkName(String name) {
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
      return bad(
          "the name of a non-retryable exception has "
              + name.length()
              + " characters; it must have 1 to "
              + MAX_NAME_LENGTH);
    }
    String fault = NameText.faultOf(name);
    return fault == null
        ? Optional.empty()
        : bad(
            "the name of a non-retryable exception has a character that is not allowed: " + fault);
  }

  /** Also rejects a missing delay: a policy that was received may lack its delays. */
  private static boolean isDelay(@Nullable Duration delay) {
    return delay != null && !delay.isNegative() && delay.compareTo(LONGEST_DELAY) <= 0;
  }

  private static Optional<Rejection> bad(String message) {
    return Optional.of(new Rejection(RejectReason.BAD_RETRY_POLICY, message));
  }
}
