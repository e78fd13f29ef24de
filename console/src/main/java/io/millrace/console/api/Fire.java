package io.millrace.console.api;

import io.millrace.jobtracker.domain.cron.LocalFire;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * A fire time.
 *
 * @param local the same as the clocks of the schedule's zone show it, with their offset
 * @param note what a change of the clocks has to do with it; null if nothing
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
