package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final ManualClock clock = new ManualClock(START);

  @Test
  void standsStillUntilTold() {
    assertThat(clock.now()).isEqualTo(START);
    assertThat(clock.nanoTime()).isZero();
  }

  @Test
  void passingTimeMovesBothLines() {
    clock.advance(Duration.ofSeconds(2));

    assertThat(clock.now()).isEqualTo(START.plusSeconds(2));
    assertThat(clock.nanoTime()).isEqualTo(2_000_000_000L);
  }

  @Test
  void fractionsOfAMillisecondAddUp() {
    clock.advance(Duration.ofNanos(600_000));
    assertThat(clock.millis()).isEqualTo(START.toEpochMilli());

    clock.advance(Duration.ofNanos(600_000));
    assertThat(clock.millis()).isEqualTo(START.toEpochMilli() + 1);
  }

  @Test
  void settingItLetsNoTimePass() {
    clock.set(START.minusSeconds(60));

    assertThat(clock.now()).isEqualTo(START.minusSeconds(60));
    assertThat(clock.nanoTime()).isZero();
  }

  @Test
  void timeDoesNotPassBackwards() {
    assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofMillis(-1)));
  }
}
