package io.millrace.jobtracker.domain.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.millrace.api.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Random RANDOM = new Random(1);

  @Test
  void delayGrowsByTheMultiplierUpToItsBound() {
    RetryPolicy policy = policy(1_000, 10_000, 2, 0);

    assertThat(LongStream.rangeClosed(1, 6).map(n -> Backoff.delayMillis(policy, (int) n, RANDOM)))
        .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L);
  }

  @Test
  void delayIsSpreadEvenlyAroundItsValue() {
    Random random = new Random(1);
    RetryPolicy policy = policy(10_000, 60_000, 1, 0.2);
    List<Long> delays =
        LongStream.range(0, 10_000)
            .map(n -> Backoff.delayMillis(policy, 1, random))
            .boxed()
            .toList();

    assertThat(delays).allMatch(delay -> delay >= 8_000 && delay <= 12_000);
    assertThat(delays.stream().mapToLong(n -> n).average().orElseThrow())
        .isCloseTo(10_000, within(50.0));
    assertThat(delays.stream().filter(delay -> delay < 9_000).count()).isBetween(2_300L, 2_700L);
  }

  @Test
  void delayOfZeroStaysZeroHoweverOften() {
    assertThat(Backoff.delayMillis(policy(0, 1_000, 1e300, 1), 1_000, RANDOM)).isZero();
  }

  @Test
  void retryNumberBelowOneIsRefused() {
    assertThatThrownBy(() -> Backoff.delayMillis(RetryPolicy.DEFAULT, 0, RANDOM))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void delayIsNeverNegativeNorFarAboveItsBound(
      @ForAll @LongRange(min = 0, max = 3_155_760_000_000L) long first,
      @ForAll @LongRange(min = 0, max = 3_155_760_000_000L) long bound,
      @ForAll @DoubleRange(min = 1, max = 1e300) double multiplier,
      @ForAll @DoubleRange(min = 0, max = 1) double jitter,
      @ForAll @IntRange(min = 1, max = 1_000) int retryNumber) {
    long delay = Backoff.delayMillis(policy(first, bound, multiplier, jitter), retryNumber, RANDOM);

    assertThat(delay).isNotNegative().isLessThanOrEqualTo(Math.round(bound * (1 + jitter)));
  }

  private static RetryPolicy policy(long first, long max, double multiplier, double jitter) {
    return new RetryPolicy(
        3, Duration.ofMillis(first), Duration.ofMillis(max), multiplier, jitter, List.of());
  }
}
