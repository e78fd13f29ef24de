package io.millrace.scripts.option.convert;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations: a number with a unit, or ISO-8601. Never negative. */
public final class DurationText {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,18})(ms|s|m|h|d)");
  private static final String EXPECTED =
      "use a number and ms, s, m, h or d, such as 500ms or 10s, or ISO-8601, such as PT1M30S";

  private DurationText() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException naming the text if it is none, or is negative
   */
  public static Duration parse(String value) {
    Duration duration = parse(value.strip().toLowerCase(Locale.ROOT), value);
    if (duration.isNegative()) {
      throw new IllegalArgumentException("'" + value + "' is negative");
    }
    return duration;
  }

  private static Duration parse(String text, String original) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text);
    try {
      return matcher.matches()
          ? of(Long.parseLong(matcher.group(1)), matcher.group(2))
          : Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("'" + original + "' is not a duration: " + EXPECTED, e);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + original + "' is too long for a duration", e);
    }
  }

  private static Duration of(long amount, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
