package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.snapshot.Fires;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Describes when a recurring job fires, and how it treats overlapping and missed fire times. */
record ScheduleFacts(JobDefinition job, Fires fires, FactPhrases phrases) {

  Fact write() {
    return new Fact(
        FactKind.SCHEDULE, null, phrases.sentences(schedule(), chained(), overlap(), misfire()));
  }

  private String schedule() {
    Schedule schedule = job.schedule();
    if (schedule instanceof Schedule.Cron cron) {
      return bounded(cron(cron), null, cron.end());
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return bounded(
          phrases.say("schedule.every", span(repeat.interval()), begin(repeat.start())),
          repeat.times(),
          repeat.end());
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      return bounded(
          phrases.say("schedule.delay", span(delay.delay()), begin(delay.start())),
          delay.times(),
          delay.end());
    }
    return phrases.say("schedule.once");
  }

  private String cron(Schedule.Cron cron) {
    String text =
        phrases.say(
            cron.zone() == null ? "schedule.cron.default-zone" : "schedule.cron",
            cron.expression(),
            fires.zone());
    if (fires.times() != null) {
      String meaning = CronExpression.parse(cron.expression()).describe(phrases.language());
      text = phrases.say("schedule.meaning", text, meaning);
    }
    return cron.start() == null
        ? text
        : phrases.say("schedule.not-before", text, phrases.at(cron.start()));
  }

  private String begin(@Nullable Instant start) {
    return start == null ? phrases.at(job.acceptedAt()) : phrases.at(start);
  }

  private String span(Duration duration) {
    return phrases.span(duration.toMillis());
  }

  private String bounded(String schedule, @Nullable Long times, @Nullable Instant end) {
    String text = schedule;
    if (times != null) {
      text = phrases.say("schedule.times", text, phrases.count(times, "times"));
    }
    if (end != null) {
      text = phrases.say("schedule.until", text, phrases.at(end));
    }
    return phrases.say("schedule.end", text);
  }

  private String chained() {
    return job.spec().chained() ? phrases.say("schedule.chained") : "";
  }

  private String overlap() {
    OverlapPolicy policy = job.spec().overlapPolicy();
    return switch (policy.kind()) {
      case SKIP -> phrases.say("overlap.skip");
      case QUEUE -> job.spec().chained() ? "" : phrases.say("overlap.queue", policy.limit());
      case ALLOW, UNKNOWN -> "";
    };
  }

  private String misfire() {
    MisfirePolicy policy = job.spec().misfire();
    if (policy == null) {
      return "";
    }
    return switch (policy.kind()) {
      case NONE -> phrases.say("misfire.none");
      case LATEST -> phrases.say("misfire.latest", span(policy.window()));
      case ALL -> phrases.say("misfire.all", policy.cap(), span(policy.window()));
      case UNKNOWN -> "";
    };
  }
}
