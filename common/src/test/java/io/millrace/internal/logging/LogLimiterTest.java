package io.millrace.internal.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLimiterTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final LogLimiter limiter = new LogLimiter(clock);
  private final List<String> lines = new ArrayList<>();

  @Test
  void oneLineASecondOfAKindAndTheNextSaysHowManyWereLeftOut() {
    for (int i = 0; i < 1_000; i++) {
      write("a");
    }
    clock.advance(SECOND.minusNanos(1));
    write("a");
    clock.advance(Duration.ofNanos(1));
    write("a");

    assertThat(lines).containsExactly("a", "a (1000 similar lines were left out)");
  }

  @Test
  void otherKindsAreNotKeptBackByOne() {
    write("a");
    write("a");
    write("b");

    assertThat(lines).containsExactly("a", "b");
  }

  @Test
  void linesOfAllKindsTogetherAreBounded() {
    for (int second = 0; second < 5; second++) {
      for (int i = 0; i < 10_000; i++) {
        write("kind " + second + " " + i);
      }
      clock.advance(SECOND);
    }

    assertThat(lines).hasSize(5 * LogLimiter.MAX_LINES);
  }

  @Test
  void whatWasLeftOutOfKindsThatAreForgottenIsSaid() {
    for (int i = 0; i < 10_000; i++) {
      write("kind " + i);
    }
    clock.advance(SECOND);
    write("kind 9999");

    assertThat(lines.get(LogLimiter.MAX_LINES))
        .startsWith("kind 9999 (1 similar lines were left out)")
        .endsWith("other lines were left out)");
  }

  private void write(String kind) {
    limiter.write(kind, ending -> lines.add(kind + ending));
  }
}
