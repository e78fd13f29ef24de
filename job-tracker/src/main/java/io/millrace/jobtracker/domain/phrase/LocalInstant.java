package io.millrace.jobtracker.domain.phrase;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes instants for people, by the clocks of a zone. */
public final class LocalInstant {
  private static final int NANOS_OF_MILLI = 1_000_000;
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);
  private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("xxx", Locale.ROOT);

  private LocalInstant() {}

  /**
   * An instant, such as {@code 2026-03-02 17:30:00 +08:00}: with how far the clocks of the zone are
   * ahead of UTC, so that it means the same wherever it is copied to. Beyond the years of local
   * times it is as {@link Instant#toString} writes it.
   */
  public static String of(Instant instant, ZoneId zone) {
    try {
      ZonedDateTime local = instant.atZone(zone);
      String clock = (local.getNano() / NANOS_OF_MILLI == 0 ? SECONDS : MILLIS).format(local);
      return clock + " " + (isUtc(zone) ? "UTC" : OFFSET.format(local));
    } catch (DateTimeException e) { // beyond the years of local times
      return instant.toString();
    }
  }

  private static boolean isUtc(ZoneId zone) {
    return zone.normalized().equals(ZoneOffset.UTC);
  }
}
