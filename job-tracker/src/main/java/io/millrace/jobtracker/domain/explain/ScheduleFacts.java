package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.OverlapPolicy;
import io.millrace.common.model.Schedule;
import io.millrace.jobtracker.domain.schedule.CronExpression;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** When a recurring job fires, in words, and what it does with what overlaps or was missed. */
final class ScheduleFacts {
  private ScheduleFacts() {}

  static Fact of(JobDefinition job, Fires fires) {
    return new Fact(
        FactKind.SCHEDULE, null, schedule(job, fires) + chained(job) + overlap(job) + misfire(job));
  }

  private static String schedule(JobDefinition job, Fires fires) {
    Schedule schedule = job.schedule();
    if (schedule instanceof Schedule.Cron cron) {
      return "Fires by the cron expression '"
          + cron.expression()
          + "' in the zone "
          + fires.zone()
          + (cron.zone() == null ? ", the tracker's default" : "")
          + (fires.times() == null
              ? ""
              : ": " + CronExpression.parse(cron.expression()).describe(Locale.ENGLISH))
          + (cron.start() == null ? "" : "; not before " + cron.start())
          + bounds(null, cron.end());
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return "Fires every "
          + span(repeat.interval())
          + ", counted from "
          + begin(repeat.start(), job)
          + bounds(repeat.times(), repeat.end());
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      return "Fires "
          + span(delay.delay())
          + " after the run before has ended, first at "
          + begin(delay.start(), job)
          + bounds(delay.times(), delay.end());
    }
    return "Fires once.";
  }

  private static String begin(@Nullable Instant start, JobDefinition job) {
    return start == null ? Words.at(job.acceptedAt()) : start.toString();
  }

  private static String span(Duration duration) {
    return Words.span(duration.toMillis());
  }

  private static String bounds(@Nullable Long times, @Nullable Instant end) {
    return (times == null ? "" : "; " + Words.count(times, "time", "times") + " in all")
        + (end == null ? "" : "; not at or after " + end)
        + ".";
  }

  private static String chained(JobDefinition job) {
    return job.spec().chained()
        ? " The next fire time is written when the run before it has ended."
        : "";
  }

  private static String overlap(JobDefinition job) {
    OverlapPolicy policy = job.spec().overlapPolicy();
    return switch (policy.kind()) {
      case SKIP -> " One run at a time: what falls due meanwhile is skipped.";
      case QUEUE ->
          job.spec().chained()
              ? ""
              : " One run at a time: of what falls due meanwhile, up to "
                  + policy.limit()
                  + " wait for their turn.";
      case ALLOW, UNKNOWN -> "";
    };
  }

  private static String misfire(JobDefinition job) {
    MisfirePolicy policy = job.spec().misfire();
    if (policy == null) {
      return "";
    }
    String window = " if not older than " + span(policy.window()) + ".";
    return switch (policy.kind()) {
      case NONE -> " Of missed fire times none is run after all.";
      case LATEST -> " Of missed fire times the latest is run after all," + window;
      case ALL ->
          " Of missed fire times the latest " + policy.cap() + " are run after all," + window;
      case UNKNOWN -> "";
    };
  }
}
