package io.millrace.console.alert.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertWordsTest {

  @ParameterizedTest
  @CsvSource({
    "PT0.25S, 0.2s",
    "PT9.99S, 9.9s",
    "PT59S, 59s",
    "PT61S, 1m 1s",
    "PT1H, 1h 0m",
    "P2DT1H, 49h 0m"
  })
  void spansOfTimeAreShort(Duration span, String shown) {
    assertThat(AlertWords.time(span)).isEqualTo(shown);
  }

  /** Whoever names jobs could otherwise make lines that look like the tracker's own. */
  @Test
  void whatAJobSaysStaysOnItsLine() {
    AlertMessage message =
        SampleAlerts.message(
            "id", "or\nders\r\nBcc: x@example.org", "a\u0000b\u2028c\u202Ed\nall is fine");

    List<String> lines = AlertWords.lines(message, 0);

    assertThat(lines)
        .contains("or ders  Bcc: x@example.org: 3 triggers ended DEAD")
        .anyMatch(line -> line.endsWith("a b c d all is fine"))
        .noneMatch(line -> line.chars().anyMatch(letter -> letter < ' '));
  }

  @Test
  void longMessagesAreCut() {
    AlertMessage message = SampleAlerts.message("id", "orders", "x".repeat(10_000));

    assertThat(message.examples().get(0).message())
        .hasSize(AlertExample.MOST_CHARACTERS)
        .endsWith("x…");
  }

  @Test
  void whatWasNotDeliveredIsSaidAtTheEnd() {
    assertThat(AlertWords.lines(SampleAlerts.message("id"), 4))
        .endsWith("- and 1 more", "4 alerts before this one could not be delivered");
  }
}
