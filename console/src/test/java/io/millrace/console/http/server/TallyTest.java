package io.millrace.console.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final Duration DELAY = Duration.ofSeconds(1);

  private final List<Long> told = new ArrayList<>();
  private final Tally tally = new Tally(told::add);

  @Test
  void theFirstIsToldAtOnceAndTheOthersAsANumberAMinuteLater() {
    for (int i = 0; i < 1_000; i++) {
      tally.add(i);
    }
    tally.reportIfDue(59_999);
    assertThat(told).containsExactly(1L);

    tally.reportIfDue(60_000);
    tally.reportIfDue(180_000);
    assertThat(told).containsExactly(1L, 999L);
  }

  @Test
  void anAddressMayErrTenTimesAMinute() {
    WrongTokens wrong = new WrongTokens(reason -> {}, DELAY);
    long first = Duration.ofMinutes(7).minusMillis(5).toMillis();
    for (int i = 0; i < WrongTokens.FREE_IN_A_MINUTE; i++) {
      assertThat(wrong.from("192.0.2.1", first + i)).isZero();
    }

    assertThat(wrong.from("192.0.2.1", first + 20)).isEqualTo(DELAY);
    assertThat(wrong.from("192.0.2.2", first + 20)).isZero();
    assertThat(wrong.from("192.0.2.1", first + Duration.ofMinutes(1).toMillis() - 1))
        .isEqualTo(DELAY);
    assertThat(wrong.from("192.0.2.1", first + Duration.ofMinutes(1).toMillis())).isZero();
  }
}
