package io.millrace.internal.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryPolicyValidatorTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void goodPoliciesPass() {
    assertThat(RetryPolicyValidator.check(RetryPolicy.DEFAULT)).isEmpty();
    assertThat(RetryPolicyValidator.check(RetryPolicy.NONE)).isEmpty();
    assertThat(RetryPolicyValidator.check(RetryPolicy.retries(1_000))).isEmpty();
    assertThat(check(Duration.ZERO, Duration.ZERO, 1, 1, names(50))).isEmpty();
  }

  @Test
  void badNumberOfRetriesIsRefused() {
    assertRefused(RetryPolicyValidator.check(RetryPolicy.retries(-1)), "maxRetries -1");
    assertRefused(RetryPolicyValidator.check(RetryPolicy.retries(1_001)), "maxRetries 1001");
  }

  @Test
  void badDelayIsRefused() {
    assertRefused(check(SECOND.negated(), SECOND, 2, 0, names(0)), "firstDelay");
    assertRefused(check(null, SECOND, 2, 0, names(0)), "firstDelay");
    assertRefused(check(SECOND, SECOND.negated(), 2, 0, names(0)), "maxDelay");
    assertRefused(check(SECOND, Duration.ofDays(40_000), 2, 0, names(0)), "maxDelay");
  }

  @Test
  void badMultiplierIsRefused() {
    for (double bad : new double[] {0.99, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertRefused(check(SECOND, SECOND, bad, 0, names(0)), "multiplier");
    }
  }

  @Test
  void badJitterIsRefused() {
    for (double bad : new double[] {-0.01, 1.01, Double.NaN}) {
      assertRefused(check(SECOND, SECOND, 2, bad, names(0)), "jitter");
    }
  }

  @Test
  void badNamesAreRefused() {
    assertRefused(check(SECOND, SECOND, 2, 0, names(51)), "51 non-retryable");
    assertRefused(check(SECOND, SECOND, 2, 0, List.of(" ")), "exception has 1 characters");
    assertRefused(check(SECOND, SECOND, 2, 0, List.of("x".repeat(513))), "exception has 513");
    assertRefused(
        check(SECOND, SECOND, 2, 0, Collections.nCopies(17, "x".repeat(500))), "8500 characters");
  }

  private static Optional<Rejection> check(
      Duration first, Duration max, double multiplier, double jitter, List<String> names) {
    return RetryPolicyValidator.check(new RetryPolicy(3, first, max, multiplier, jitter, names));
  }

  private static void assertRefused(Optional<Rejection> result, String what) {
    assertThat(result)
        .hasValueSatisfying(
            rejection -> {
              assertThat(rejection.reason()).isEqualTo(RejectReason.BAD_RETRY_POLICY);
              assertThat(rejection.message()).contains(what);
            });
  }

  private static List<String> names(int count) {
    return Collections.nCopies(count, "java.lang.Error");
  }
}
