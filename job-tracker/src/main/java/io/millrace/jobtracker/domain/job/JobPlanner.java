package io.millrace.jobtracker.domain.job;

import io.millrace.api.MisfirePolicy;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.FireTimesCache;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.schedule.GenerationPlan;
import io.millrace.jobtracker.domain.schedule.GenerationPlanner;
import io.millrace.jobtracker.domain.schedule.MissedFires;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Plans which triggers of a recurring job to write now, and the job's state after that. Equal cron
 * expressions are parsed and computed once for all jobs. Thread-safe.
 */
public final class JobPlanner {
  /** How long after its last fire time an exhausted job is checked for having finished. */
  private static final long FINISH_CHECK_MILLIS = 1_000;

  private final GenerationLimits limits;
  private final FireTimesCache fireTimes;
  private final GenerationPlanner planner;

  public JobPlanner(ZoneId defaultZone, GenerationLimits limits) {
    this.limits = limits;
    this.fireTimes = new FireTimesCache(defaultZone, limits);
    this.planner = new GenerationPlanner(limits);
  }

  /**
   * A plan.
   *
   * @param instants fire times to write triggers for, in epoch milliseconds, rising
   * @param advanced the job after they are written
   * @param missed fire times that never get a trigger, or null if there are none
   */
  public record Planned(
      List<Long> instants, JobDefinition advanced, @Nullable SkippedRange missed) {}

  /**
   * Fire times that passed without a trigger.
   *
   * @param run those that run after all, in epoch milliseconds, rising
   * @param skipped the others; several ranges only if there are too many to count at once
   */
  public record Passed(List<Long> run, List<SkippedRange> skipped) {}

  /** Whether the schedule of a job has a fire time at or after an instant. */
  public boolean hasFireTime(JobDefinition job, long from, long now) {
    return fireTimes(job, now).first(Instant.ofEpochMilli(from)).isPresent();
  }

  /** The first trigger of a job whose triggers are written one at a time. */
  public Planned first(JobDefinition job, long now) {
    long from = Math.max(now, job.generatedUntil() + 1);
    return one(job, fireTimes(job, now).first(Instant.ofEpochMilli(from)), now);
  }

  /**
   * The next trigger of a job whose triggers are written one at a time, when none of them is live.
   */
  public Planned next(JobDefinition job, long now) {
    Instant ended = Instant.ofEpochMilli(Math.max(now, job.generatedUntil()));
    return one(job, fireTimes(job, now).nextAfterEnd(ended, job.firedCount()), now);
  }

  private static Planned one(JobDefinition job, Optional<Instant> fireTime, long now) {
    return fireTime
        .map(Instant::toEpochMilli)
        .map(at -> new Planned(List.of(at), job.fired(at, 1, null, false), null))
        .orElseGet(
            () -> new Planned(List.of(), job.fired(now, 0, now + FINISH_CHECK_MILLIS, true), null));
  }

  /**
   * The trigger of a job for a fire time.
   *
   * @param waitingId id of its row
   * @param at the fire time, in epoch milliseconds
   */
  public WaitingTrigger trigger(JobDefinition job, long waitingId, long at, long now) {
    boolean nothingTakesItsPlace =
        job.spec().chained() && job.spec().misfirePolicy().kind() != MisfirePolicy.Kind.NONE;
    Long nextAt =
        nothingTakesItsPlace
            ? null
            : fireTimes(job, now)
                .nextAfter(Instant.ofEpochMilli(at))
                .map(Instant::toEpochMilli)
                .orElse(null);
    return job.triggerFor(waitingId, at, nextAt, now);
  }

  /**
   * Decides on the fire times after the point where generation last ended and before an instant;
   * all of them are missed. A job whose triggers are written one at a time has none, because its
   * fire times exist only once they are written.
   */
  public Passed passed(JobDefinition job, long before, MisfirePolicy policy, long now) {
    List<SkippedRange> skipped = new ArrayList<>();
    if (job.spec().chained()) {
      return new Passed(List.of(), skipped);
    }
    FireTimes times = fireTimes(job, now);
    Instant after = Instant.ofEpochMilli(job.generatedUntil());
    MissedFires missed;
    do {
      missed =
          MissedFires.decide(
              times,
              after,
              Instant.ofEpochMilli(before),
              limits.bounded(policy),
              Instant.ofEpochMilli(now),
              MissedFires.MAX_COUNTED);
      if (missed.skipped() != null) {
        skipped.add(missed.skipped());
      }
      after = missed.until();
    } while (!missed.isComplete());
    return new Passed(missed.run().stream().map(Instant::toEpochMilli).toList(), skipped);
  }

  /** The triggers of the next window, from the point where generation last ended. */
  public Planned window(JobDefinition job, long now) {
    GenerationPlan plan =
        planner.plan(
            fireTimes(job, now),
            job.spec().misfirePolicy(),
            Instant.ofEpochMilli(job.generatedUntil()),
            Instant.ofEpochMilli(now),
            spread(job));
    List<Long> instants = plan.planned().stream().map(Instant::toEpochMilli).toList();
    long until = plan.generatedUntil().toEpochMilli();
    Instant again = plan.generateAt();
    long generateAt =
        again == null ? lastOf(instants, now) + FINISH_CHECK_MILLIS : again.toEpochMilli();
    return new Planned(
        instants, job.fired(until, instants.size(), generateAt, plan.exhausted()), plan.skipped());
  }

  /**
   * At least 0 and less than 1; looks random, so that similar jobs and marks get different values.
   */
  private static double spread(JobDefinition job) {
    return new SplittableRandom(job.id() * 31 + job.generatedUntil()).nextDouble();
  }

  /**
   * The fire times of a job in (after, until], as windows plan them, in epoch milliseconds; only
   * the first ones if there are more than the limit.
   */
  public List<Long> instants(JobDefinition job, long after, long until, int limit, long now) {
    return fireTimes(job, now).between(after, until, limit);
  }

  private static long lastOf(List<Long> instants, long now) {
    return instants.isEmpty() ? now : Math.max(now, instants.get(instants.size() - 1));
  }

  /** When fire times count as missed, and how many are planned at a time. */
  public GenerationLimits limits() {
    return limits;
  }

  /** The fire times of a job; fastest for times around now. */
  public FireTimes fireTimes(JobDefinition job, long now) {
    return fireTimes.of(
        job.schedule(), Instant.ofEpochMilli(job.acceptedAt()), Instant.ofEpochMilli(now));
  }
}
