package io.millrace.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {

  /** From the year -1000 to 11000, so that both ends of the short way are passed. */
  @Property
  void saysAndReadsWhatTheJdkDoes(
      @ForAll @LongRange(min = -93_000_000_000L, max = 285_000_000_000L) long second,
      @ForAll @IntRange(max = 999_999_999) int nano,
      @ForAll @IntRange(max = 9) int zeros) {
    int shortened = (int) (nano - nano % Math.round(Math.pow(10, zeros)));
    Instant instant = Instant.ofEpochSecond(second, shortened);

    assertThat(InstantText.format(instant)).isEqualTo(instant.toString());
    assertThat(InstantText.parse(instant.toString())).isEqualTo(instant);
  }

  /** What is close to an instant is read, or refused, as the JDK does. */
  @Property
  void doesWithDamagedTextWhatTheJdkDoes(
      @ForAll @LongRange(min = -62_167_219_200L, max = 253_402_300_799L) long second,
      @ForAll @IntRange(max = 999) int milli,
      @ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text =
        new StringBuilder(Instant.ofEpochSecond(second, milli * 1_000_000L).toString());
    String alphabet = "0123456789-:.TZ+ tz";
    for (int i = random.nextInt(3); i >= 0; i--) {
      text.setCharAt(
          random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
    }

    assertSame(text.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "2026-11-22T05:57:08Z",
        "2026-11-22T05:57:08.Z",
        "2026-11-22T05:57:08.1Z",
        "2026-11-22T05:57:08.12Z",
        "2026-11-22T05:57:08.123456789Z",
        "2026-11-22T05:57:08.1234567890Z",
        "2026-02-29T00:00:00Z",
        "2028-02-29T00:00:00Z",
        "2026-11-31T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-11-22T24:00:00Z",
        "2026-11-22T23:59:60Z",
        "2026-11-22T05:57:08+01:00",
        "2026-11-22t05:57:08z",
        "2026-11-22T05:57Z",
        "+10000-01-01T00:00:00Z",
        "-0001-01-01T00:00:00Z",
        "2026-11-22T05:57:08,123Z",
        "２026-11-22T05:57:08Z"
      })
  void doesWithUnusualTextWhatTheJdkDoes(String text) {
    assertSame(text);
  }

  @Test
  void knowsTheEdgesOfFourDigitYears() {
    for (String edge :
        new String[] {
          "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "+10000-01-01T00:00:00Z",
        }) {
      assertThat(InstantText.format(InstantText.parse(edge))).isEqualTo(edge);
    }
  }

  private static void assertSame(String text) {
    Instant expected;
    try {
      expected = Instant.parse(text);
    } catch (DateTimeException refused) {
      assertThatThrownBy(() -> InstantText.parse(text)).isInstanceOf(DateTimeException.class);
      return;
    }
    assertThat(InstantText.parse(text)).isEqualTo(expected);
  }
}
