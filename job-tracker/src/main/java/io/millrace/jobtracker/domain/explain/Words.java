package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How explanations put instants, spans of time, numbers and triggers. */
final class Words {
  private static final int LONGEST_MESSAGE = 300;
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Words() {}

  /** Epoch milliseconds as an instant in ISO 8601. */
  static String at(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /** An instant to come, and how far away it is. */
  static String atIn(long millis, long now) {
    return at(millis) + " (in " + span(millis - now) + ")";
  }

  /** An instant that is past, and how long ago it was. */
  static String since(long millis, long now) {
    return at(millis) + " (" + span(now - millis) + ")";
  }

  /** A span of time in its one or two largest units; one that runs backwards counts as none. */
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

  /** A number of things, such as {@code 1 worker} or {@code 1,200 workers}. */
  static String count(long number, String one, String several) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : several);
  }

  /** A trigger at the beginning of a sentence. */
  static String trigger(TriggerKey key, long plannedFor) {
    if (key.isExtra()) {
      return "Extra run " + key.ordinal() + " of " + at(plannedFor);
    }
    return key.plannedAt() == 0 ? "It" : "The run of " + at(plannedFor);
  }

  /** A trigger within a sentence. */
  static String ofTrigger(TriggerKey key, long plannedFor) {
    String name = trigger(key, plannedFor);
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** What somebody wrote, in one line, or as much of it as fits; empty if that is nothing. */
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
