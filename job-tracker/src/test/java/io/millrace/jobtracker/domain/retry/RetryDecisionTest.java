package io.millrace.jobtracker.domain.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.RetryPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryDecisionTest {
  private static final Random RANDOM = new Random(1);
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, Duration.ofSeconds(1), Duration.ofMinutes(1), 3, 0, List.of());

  @Test
  void attemptsAreRepeatedAsOftenAsThePolicyAllows() {
    assertThat(after(TWICE, 1)).isEqualTo(new RetryDecision.Retry(1_000));
    assertThat(after(TWICE, 2)).isEqualTo(new RetryDecision.Retry(3_000));
    assertThat(after(TWICE, 3)).isEqualTo(RetryDecision.GiveUp.RETRIES_USED_UP);
  }

  @Test
  void noRetriesMeansAtMostOnce() {
    assertThat(after(RetryPolicy.NONE, 1)).isEqualTo(RetryDecision.GiveUp.RETRIES_USED_UP);
  }

  @Test
  void namedExceptionAndItsSubclassesEndTheTrigger() {
    RetryPolicy policy = TWICE.notOn(IOException.class);
    String[] fileNotFound = {
      FileNotFoundException.class.getName(), IOException.class.getName(), "java.lang.Exception"
    };

    assertThat(after(policy, 1, fileNotFound)).isEqualTo(RetryDecision.GiveUp.NOT_RETRYABLE);
    assertThat(after(policy, 1, "java.lang.RuntimeException", "java.lang.Exception"))
        .isInstanceOf(RetryDecision.Retry.class);
    assertThat(after(policy, 1)).isInstanceOf(RetryDecision.Retry.class);
  }

  private static RetryDecision after(RetryPolicy policy, int attempt, String... types) {
    return RetryDecision.after(policy, attempt, List.of(types), RANDOM);
  }
}
