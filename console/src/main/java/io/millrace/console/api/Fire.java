package io.millrace.console.api;

import io.millrace.jobtracker.domain.cron.LocalFire;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * A fire time.
 *
 * @param local the local time in the schedule's zone, with its offset
 * @param note how a clock change affects it; null if it does not
 */
public record Fire(Instant at, String local, @Nullable String note) {

  public static Fire of(LocalFire fire) {
    return new Fire(
        fire.at(), DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(fire.local()), fire.note());
  }

  public static Fire of(Instant at, ZoneId zone) {
    return new Fire(at, DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(at.atZone(zone)), null);
  }
}
