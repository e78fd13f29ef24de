package io.millrace.scripts.output;

import java.lang.Character.UnicodeScript;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats values for people, in one line. */
public final class Cell {
  static final String NOTHING = "-";

  private static final Set<UnicodeScript> WIDE =
      Set.of(
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.HANGUL,
          UnicodeScript.BOPOMOFO);

  private Cell() {}

  /** Formats a value; null as a dash. Replaces control characters by blanks. */
  public static String of(@Nullable Object value) {
    String text = value == null ? "" : line(text(value));
    return text.isEmpty() ? NOTHING : text;
  }

  /** Replaces line ends and other control characters of the text by blanks. */
  public static String line(String text) {
    return text.strip().replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
  }

  /** Replaces control characters of the text, except line ends and tabs, by blanks. */
  public static String lines(String text) {
    return text.stripTrailing().replaceAll("[\\p{Cntrl}\\u0085&&[^\\n\\t]]", " ");
  }

  private static String text(Object value) {
    if (value instanceof Instant instant) {
      return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }
    if (value instanceof Duration duration) {
      return span(duration);
    }
    if (value instanceof Boolean flag) {
      return flag ? "yes" : "no";
    }
    if (value instanceof Collection<?> values) {
      return values.stream().map(Cell::text).collect(Collectors.joining(", "));
    }
    return value.toString();
  }

  /**
   * Formats a duration as options take it, in the largest two units: {@code 2d3h}, {@code 1m30s},
   * {@code 250ms}.
   */
  private static String span(Duration duration) {
    if (duration.isNegative()) {
      return "-" + span(duration.negated());
    }
    if (duration.toDays() > 0) {
      return two(duration.toDays(), "d", duration.toHoursPart(), "h");
    }
    if (duration.toHours() > 0) {
      return two(duration.toHours(), "h", duration.toMinutesPart(), "m");
    }
    if (duration.toMinutes() > 0) {
      return two(duration.toMinutes(), "m", duration.toSecondsPart(), "s");
    }
    if (duration.toSeconds() == 0) {
      return duration.toMillis() + "ms";
    }
    return duration.toMillisPart() == 0
        ? duration.toSeconds() + "s"
        : String.format(java.util.Locale.ROOT, "%.3fs", duration.toMillis() / 1_000.0);
  }

  private static String two(long larger, String unit, long smaller, String smallerUnit) {
    return larger + unit + (smaller == 0 ? "" : smaller + smallerUnit);
  }

  /** Returns the number of terminal columns of a text. */
  static int width(String text) {
    return text.codePoints().map(Cell::widthOf).sum();
  }

  private static int widthOf(int codePoint) {
    int type = Character.getType(codePoint);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean fullWidthForm =
        (codePoint >= 0x3000 && codePoint <= 0x303E)
            || (codePoint >= 0xFF01 && codePoint <= 0xFF60)
            || (codePoint >= 0xFFE0 && codePoint <= 0xFFE6)
            || (codePoint >= 0x1F300 && codePoint <= 0x1FAFF);
    boolean halfWidthForm = codePoint >= 0xFF61 && codePoint <= 0xFFDC;
    return fullWidthForm || (WIDE.contains(UnicodeScript.of(codePoint)) && !halfWidthForm) ? 2 : 1;
  }
}
