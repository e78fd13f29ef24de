package io.millrace.console.api.job;

import io.millrace.api.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * When a job fires, with the field names that clients use to submit jobs. With all fields null, the
 * job fires once, as soon as a worker is free.
 *
 * @param cron a cron expression
 * @param zone of the cron expression; null means the tracker's default zone
 * @param at with cron, nothing fires before this instant; with every or fixedDelay, the first fire
 *     time; otherwise the only fire time
 * @param after fires once, this long after the job was accepted
 * @param every fires at this rate
 * @param fixedDelay fires again this long after the previous run ended
 * @param times total number of fire times; null means unlimited
 * @param until nothing fires at or after this instant; null means no end
 */
public record JobSchedule(
    @Nullable String cron,
    @Nullable ZoneId zone,
    @Nullable Instant at,
    @Nullable Duration after,
    @Nullable Duration every,
    @Nullable Duration fixedDelay,
    @Nullable Long times,
    @Nullable Instant until) {

  public static JobSchedule of(Schedule schedule) {
    if (schedule instanceof Schedule.Cron cron) {
      return new JobSchedule(
          cron.expression(), cron.zone(), cron.start(), null, null, null, null, cron.end());
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return new JobSchedule(
          null, null, repeat.start(), null, repeat.interval(), null, repeat.times(), repeat.end());
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      return new JobSchedule(
          null, null, delay.start(), null, null, delay.delay(), delay.times(), delay.end());
    }
    Schedule.Once once = (Schedule.Once) schedule;
    return new JobSchedule(null, null, once.at(), once.after(), null, null, null, null);
  }
}
