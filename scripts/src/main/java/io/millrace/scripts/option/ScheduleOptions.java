package io.millrace.scripts.option;

import io.millrace.api.Job;
import io.millrace.scripts.BadInputException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the schedule of a job. The tracker checks their values. */
public final class ScheduleOptions {

  @Option(
      names = "--at",
      paramLabel = "INSTANT",
      description =
          "Fire at this instant, such as 2030-01-31T08:00:00Z; with --every or --fixed-delay,"
              + " the first fire time; with --cron, the earliest.")
  private @Nullable Instant at;

  @Option(
      names = "--after",
      paramLabel = "DUR",
      description = "Fire once, after this time from now.")
  private @Nullable Duration after;

  @Option(
      names = "--cron",
      paramLabel = "EXPR",
      description =
          "Fire by a cron expression: Quartz (6 or 7 fields), Unix (5 fields) or a nickname such"
              + " as @daily.")
  private @Nullable String cron;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Time zone of the cron expression; otherwise the tracker's default.")
  private @Nullable ZoneId zone;

  @Option(names = "--every", paramLabel = "DUR", description = "Fire at a fixed rate.")
  private @Nullable Duration every;

  @Option(
      names = "--fixed-delay",
      paramLabel = "DUR",
      description = "Fire again this long after each run has ended.")
  private @Nullable Duration fixedDelay;

  @Option(
      names = "--times",
      paramLabel = "N",
      description = "Number of fire times in total; with --every or --fixed-delay.")
  private @Nullable Long times;

  @Option(
      names = "--until",
      paramLabel = "INSTANT",
      description =
          "Do not fire at this instant or later; with --cron, --every or --fixed-delay."
              + " ISO-8601 with Z or an offset.")
  private @Nullable Instant until;

  @Option(
      names = "--rely-on-prev-cycle",
      description = "Plan the next fire time only when the previous run has ended.")
  private boolean relyOnPrevCycle;

  /**
   * Applies the schedule to the job.
   *
   * @throws BadInputException if options contradict each other, or an option requires another one
   */
  public void applyTo(Job.Builder job) {
    requireThatTheyFit();
    applyInstants(job);
    applyCycle(job);
    job.relyOnPrevCycle(relyOnPrevCycle);
  }

  /** Returns whether the job fires more than once. */
  public boolean isRecurring() {
    return cron != null || every != null || fixedDelay != null;
  }

  private void requireThatTheyFit() {
    BadInputException.unless(
        Stream.of(cron, every, fixedDelay).filter(Objects::nonNull).count() <= 1,
        "--cron, --every and --fixed-delay exclude one another");
    BadInputException.unless(at == null || after == null, "--at and --after exclude one another");
    BadInputException.unless(
        after == null || !isRecurring(), "--after is allowed only for a one-shot");
    BadInputException.unless(
        until == null || isRecurring(), "--until needs --cron, --every or --fixed-delay");
    BadInputException.unless(
        times == null || every != null || fixedDelay != null,
        "--times needs --every or --fixed-delay");
    BadInputException.unless(zone == null || cron != null, "--zone needs --cron");
    BadInputException.unless(
        !relyOnPrevCycle || cron != null || every != null,
        "--rely-on-prev-cycle needs --cron or --every");
  }

  private void applyInstants(Job.Builder job) {
    if (at != null) {
      job.at(at);
    }
    if (after != null) {
      job.after(after);
    }
    if (times != null) {
      job.times(times);
    }
    if (until != null) {
      job.until(until);
    }
  }

  private void applyCycle(Job.Builder job) {
    if (cron != null && zone != null) {
      job.cron(cron, zone);
    } else if (cron != null) {
      job.cron(cron);
    }
    if (every != null) {
      job.every(every);
    }
    if (fixedDelay != null) {
      job.fixedDelay(fixedDelay);
    }
  }
}
