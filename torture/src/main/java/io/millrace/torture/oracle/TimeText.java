package io.millrace.torture.oracle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Formats times for the messages of the oracle. */
final class TimeText {
  private TimeText() {}

  /** Returns the time of day in UTC, with milliseconds. */
  static String at(@Nullable Long millis) {
    if (millis == null) {
      return "never";
    }
    String text = Instant.ofEpochMilli(millis).plusNanos(1).toString();
    return millis < 1_000_000_000_000L || millis > 9_000_000_000_000L
        ? millis + " ms"
        : text.substring(11, 23);
  }
}
