package io.millrace.internal.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d}.
 */
final class DurationText {
  private static final String EXPECTED =
      "must be a duration, such as 500ms, 10s, 5m, 1h or PT1H30M";
  private static final Pattern AMOUNT_AND_UNIT = Pattern.compile("([0-9]+)\\s*(ms|s|m|h|d)");

  /** From the longest unit to the shortest; {@link #LENGTHS} has the length of each. */
  private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms");

  private static final List<Duration> LENGTHS =
      List.of(
          Duration.ofDays(1),
          Duration.ofHours(1),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ofMillis(1));

  private DurationText() {}

  static Duration parse(String text) {
    Matcher matcher = AMOUNT_AND_UNIT.matcher(text);
    try {
      return matcher.matches()
          ? LENGTHS
              .get(UNITS.indexOf(matcher.group(2)))
              .multipliedBy(Long.parseLong(matcher.group(1)))
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
    for (int i = 0; i < UNITS.size(); i++) {
      long amount = duration.dividedBy(LENGTHS.get(i));
      if (LENGTHS.get(i).multipliedBy(amount).equals(duration)) {
        return amount + UNITS.get(i);
      }
    }
    return duration.toString();
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
