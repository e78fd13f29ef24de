package io.millrace.console.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts between instants and the epoch milliseconds of stores. */
public final class Times {
  /** Bounds milliseconds so that sums and differences of some of them do not overflow. */
  private static final long MOST_SECONDS = Long.MAX_VALUE / 4_000;

  private Times() {}

  public static @Nullable Instant instant(@Nullable Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /** Epoch milliseconds, clamped to a range that is safe from overflow. */
  public static long clampedMillis(Instant at) {
    long seconds = Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, at.getEpochSecond()));
    return seconds * 1_000 + at.getNano() / 1_000_000;
  }
}
