package io.millrace.jobtracker.domain.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
  @ParameterizedTest
  @CsvSource({
    "-5, 0 ms",
    "0, 0 ms",
    "999, 999 ms",
    "1000, 1 s",
    "3251, 3.2 s",
    "9999, 9.9 s",
    "10000, 10 s",
    "59999, 59 s",
    "60000, 1 min",
    "295000, 4 min 55 s",
    "3599999, 59 min 59 s",
    "3600000, 1 h",
    "12000000, 3 h 20 min",
    "86400000, 1 d",
    "1051200000, 12 d 4 h",
    "9223372036854775807, 106751991167 d 7 h"
  })
  void spansAreToldInTheirLargestUnits(long millis, String words) {
    assertThat(Words.span(millis)).isEqualTo(words);
  }

  @Test
  void numbersAreToldWithTheirThing() {
    FactPhrases phrases = FactPhrases.of(Locale.ENGLISH, null);

    assertThat(phrases.count(1, "workers")).isEqualTo("1 worker");
    assertThat(phrases.count(0, "workers")).isEqualTo("0 workers");
    assertThat(phrases.count(1_200, "workers")).isEqualTo("1,200 workers");
  }

  @Test
  void whatSomebodyWroteBecomesOneLineOfBoundedLength() {
    assertThat(Words.quoted(null)).isEmpty();
    assertThat(Words.quoted(" \n ")).isEmpty();
    assertThat(Words.quoted(" it broke\n\tat line 3 ")).isEqualTo("it broke at line 3");
    assertThat(Words.quoted("x".repeat(300))).isEqualTo("x".repeat(300));
    assertThat(Words.quoted("x".repeat(299) + "🌾")).isEqualTo("x".repeat(299) + "…");
  }
}
