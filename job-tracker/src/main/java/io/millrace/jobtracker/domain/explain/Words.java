package io.millrace.jobtracker.domain.explain;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes instants, spans of time, numbers and quoted text for explanations. */
final class Words {
  private static final int LONGEST_MESSAGE = 300;
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Words() {}

  /**
   * A span of time in its one or two largest units, by their symbols; a negative span counts as 0.
   */
  static String span(long millis) {
    long span = Math.max(0, millis);
    if (span < SECOND) {
      return span + " ms";
    }
    if (span < 10 * SECOND) {
      long tenths = span % SECOND / 100;
      return span / SECOND + (tenths == 0 ? "" : "." + tenths) + " s";
    }
    if (span < MINUTE) {
      return span / SECOND + " s";
    }
    if (span < HOUR) {
      return twoUnits(span / MINUTE, "min", span % MINUTE / SECOND, "s");
    }
    return span < DAY
        ? twoUnits(span / HOUR, "h", span % HOUR / MINUTE, "min")
        : twoUnits(span / DAY, "d", span % DAY / HOUR, "h");
  }

  private static String twoUnits(long large, String unit, long small, String smallUnit) {
    return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }

  /** A number as people read it, such as {@code 1,200}. */
  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Quoted text on one line, cut to the longest length; empty if the text is null or blank. */
  static String quoted(@Nullable String message) {
    if (message == null || message.isBlank()) {
      return "";
    }
    String line = message.strip().replaceAll("\\s+", " ");
    if (line.length() <= LONGEST_MESSAGE) {
      return line;
    }
    boolean splitsPair = Character.isHighSurrogate(line.charAt(LONGEST_MESSAGE - 1));
    return line.substring(0, splitsPair ? LONGEST_MESSAGE - 1 : LONGEST_MESSAGE) + "…";
  }
}
