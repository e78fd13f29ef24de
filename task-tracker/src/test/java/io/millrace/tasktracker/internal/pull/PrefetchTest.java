package io.millrace.tasktracker.internal.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PrefetchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final Prefetch prefetch = new Prefetch(256, clock);

  /** So many invocations end a second, evenly, for a second. */
  private void endEvenly(int perSecond) {
    for (int i = 0; i < perSecond; i++) {
      clock.advance(SECOND.dividedBy(perSecond));
      prefetch.ended();
    }
  }

  @Test
  void nothingIsAskedForBeforeAnythingHasEnded() {
    assertThat(prefetch.allowance()).isZero();
  }

  @Test
  void asManyAreAskedForAsEndInTheLongestWait() {
    endEvenly(2_000);

    assertThat(prefetch.allowance()).isBetween(95, 105);
  }

  @Test
  void invocationsThatTakeASecondLeaveAllToOthers() {
    endEvenly(16);
    clock.advance(Duration.ofMillis(30));

    assertThat(prefetch.allowance()).isZero();
  }

  @Test
  void boundIsNeverPassed() {
    endEvenly(100_000);

    assertThat(prefetch.allowance()).isEqualTo(256);
    assertThat(new Prefetch(0, clock).allowance()).isZero();
  }

  @Test
  void whatEndedLongAgoCountsNoMore() {
    endEvenly(5_000);

    clock.advance(Duration.ofMillis(100));

    assertThat(prefetch.allowance()).isZero();
  }
}
