package io.millrace.torture.oracle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times as the sentences of the oracle write them. */
final class TimeText {
  private TimeText() {}

  /** The time of day in UTC, to the millisecond. */
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
