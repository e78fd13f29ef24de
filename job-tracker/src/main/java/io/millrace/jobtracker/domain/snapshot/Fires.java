package io.millrace.jobtracker.domain.snapshot;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import io.millrace.jobtracker.domain.cron.LocalFire;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fire times of a recurring job.
 *
 * @param job the job
 * @param zone of its cron expression, if it has one
 * @param times null if the schedule cannot be read
 * @param fault why it cannot be read; otherwise null
 */
public record Fires(
    JobDefinition job, ZoneId zone, @Nullable FireTimes times, @Nullable String fault) {

  public static Fires of(JobDefinition job, ZoneId defaultZone) {
    ZoneId zone =
        job.schedule() instanceof Schedule.Cron cron
            ? Objects.requireNonNullElse(cron.zone(), defaultZone)
            : defaultZone;
    try {
      Instant acceptedAt = Instant.ofEpochMilli(job.acceptedAt());
      return new Fires(job, zone, FireTimes.of(job.schedule(), acceptedAt, defaultZone), null);
    } catch (InvalidScheduleException e) {
      return new Fires(job, zone, null, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The fire times after one instant and up to another, in epoch milliseconds; at most {@code
   * limit}.
   */
  public List<Long> between(long after, long upTo, int limit) {
    return times == null ? List.of() : times.between(after, upTo, limit);
  }

  /**
   * What the clocks of the schedule's zone show at a fire time; empty if the schedule has no zone.
   */
  public Optional<LocalFire> local(long at, Locale language) {
    return job.schedule() instanceof Schedule.Cron cron
        ? Optional.of(
            LocalFire.of(
                CronExpression.parse(cron.expression()), zone, Instant.ofEpochMilli(at), language))
        : Optional.empty();
  }
}
