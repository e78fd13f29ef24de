package io.millrace.common.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d}.
 */
final class DurationText {
  private static final String EXPECTED =
      "must be a duration, such as 500ms, 10s, 5m, 1h or PT1H30M";
  private static final Pattern AMOUNT_AND_UNIT = Pattern.compile("([0-9]+)\\s*(ms|s|m|h|d)");

  private enum Unit {
    D(ChronoUnit.DAYS),
    H(ChronoUnit.HOURS),
    M(ChronoUnit.MINUTES),
    S(ChronoUnit.SECONDS),
    MS(ChronoUnit.MILLIS);

    final ChronoUnit length;

    Unit(ChronoUnit length) {
      this.length = length;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private DurationText() {}

  static Duration parse(String text) {
    Matcher matcher = AMOUNT_AND_UNIT.matcher(text);
    try {
      return matcher.matches()
          ? Duration.of(Long.parseLong(matcher.group(1)), unit(matcher.group(2)))
          : parseIso(text);
    } catch (NumberFormatException | ArithmeticException tooLarge) {
      throw new IllegalArgumentException("must be a duration that fits in a long", tooLarge);
    }
  }

  /**
   * Writes the duration in the largest unit that divides it exactly; in ISO-8601 if it has a
   * fraction of a millisecond.
   */
  static String write(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    for (Unit unit : Unit.values()) {
      Duration length = unit.length.getDuration();
      long amount = duration.dividedBy(length);
      if (length.multipliedBy(amount).equals(duration)) {
        return amount + unit.text();
      }
    }
    return duration.toString();
  }

  private static ChronoUnit unit(String text) {
    return Arrays.stream(Unit.values())
        .filter(unit -> unit.text().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(EXPECTED))
        .length;
  }

  private static Duration parseIso(String text) {
    try {
      Duration duration = Duration.parse(text);
      if (duration.isNegative()) {
        throw new IllegalArgumentException("must not be negative");
      }
      return duration;
    } catch (DateTimeParseException notIso) {
      throw new IllegalArgumentException(EXPECTED, notIso);
    }
  }
}
