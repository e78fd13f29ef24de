package io.millrace.jobtracker.domain.schedule;

import io.millrace.common.model.MisfirePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans the triggers of a job that is not chained. Immutable and thread-safe; equal arguments give
 * equal plans, so generating twice from one mark is harmless.
 *
 * <p>A plan takes up where the mark stands: each fire time after the mark is in exactly one of the
 * plans that follow, as planned or as skipped.
 *
 * <p>Missed are the fire times older than the misfire threshold, and those that a later one that is
 * due follows. The job's policy says which of them are planned all the same; the others are
 * skipped. If there are more than {@link MissedFires} counts at a time, the plan skips what is
 * certain, plans nothing and asks to come again at once; so every count is exact.
 */
public final class GenerationPlanner {
  /** Fire times far ahead are looked at again after this, in case the zone's rules have changed. */
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  /** Shares of the time that a plan covers: the latest moment for the next, and how far before. */
  private static final double LATEST_SHARE = 0.9;

  private static final double SPREAD_SHARE = 0.4;

  private final GenerationLimits limits;
  private final int maxMissed;

  public GenerationPlanner(GenerationLimits limits) {
    this(limits, MissedFires.MAX_COUNTED);
  }

  GenerationPlanner(GenerationLimits limits, int maxMissed) {
    this.limits = limits;
    this.maxMissed = maxMissed;
  }

  /** Plans, and comes again when nine tenths of the time are over, or a window before. */
  GenerationPlan plan(FireTimes times, MisfirePolicy misfire, Instant generatedUntil, Instant now) {
    return plan(times, misfire, generatedUntil, now, 0);
  }

  /**
   * Plans from a mark up to now and the window, or fewer if the job fires often.
   *
   * <p>It comes again when five to nine tenths of the time it has covered are over, or, if the next
   * fire time is further away, a window to half a window before that, but within a day. Where in
   * that time the spread says, so that jobs that fire together do not all come again together.
   *
   * @param times the job's fire times; not those of a fixed delay, which are written one by one
   * @param misfire what becomes of those that were missed
   * @param generatedUntil the job's mark; of a new job, the millisecond before it was accepted
   * @param now the tracker's time
   * @param spread at least 0 and less than 1, different from job to job and from plan to plan
   */
  public GenerationPlan plan(
      FireTimes times, MisfirePolicy misfire, Instant generatedUntil, Instant now, double spread) {
    if (!times.isForeseeable()) {
      throw new IllegalArgumentException("a fixed delay cannot be generated ahead");
    }
    MissedAt missedAt = MissedAt.of(times, misfire, limits, now.toEpochMilli());
    MissedFires missed =
        MissedFires.decide(
            times,
            generatedUntil,
            Instant.ofEpochMilli(missedAt.before()),
            missedAt.policy(),
            now,
            maxMissed);
    return missed.isComplete()
        ? planAhead(times, missed, now, spread)
        : new GenerationPlan(List.of(), missed.until(), now, false, missed.skipped());
  }

  private GenerationPlan planAhead(
      FireTimes times, MissedFires missed, Instant now, double spread) {
    Instant horizon = now.plus(limits.window());
    Instant soon = now.plus(GenerationLimits.SHORTEST_COVER);
    List<Instant> planned = new ArrayList<>(missed.run());
    Instant covered = missed.until();
    int ahead = countAhead(times, now, covered);
    Optional<Instant> next = times.nextAfter(covered);
    while (next.isPresent()
        && !next.get().isAfter(horizon)
        && (ahead < limits.triggersAhead() || !next.get().isAfter(soon))
        && planned.size() < limits.maxTriggers()) {
      covered = next.get();
      planned.add(covered);
      ahead += covered.isAfter(now) ? 1 : 0;
      next = times.nextAfter(covered);
    }
    boolean full = next.isPresent() && !next.get().isAfter(horizon);
    if (!full && covered.isBefore(horizon)) {
      covered = horizon;
    }
    Instant covers = covered;
    Instant generateAt = next.map(instant -> generateAt(instant, covers, now, spread)).orElse(null);
    return new GenerationPlan(planned, covered, generateAt, next.isEmpty(), missed.skipped());
  }

  /** Fire times after now that plans before have written, counted as far as it matters. */
  private int countAhead(FireTimes times, Instant now, Instant mark) {
    int count = 0;
    Optional<Instant> next = times.nextAfter(now);
    while (count < limits.triggersAhead() && next.isPresent() && !next.get().isAfter(mark)) {
      count++;
      next = times.nextAfter(next.get());
    }
    return count;
  }

  private Instant generateAt(Instant next, Instant covered, Instant now, double spread) {
    Duration ahead = Duration.between(now, covered);
    if (ahead.isNegative()) {
      return now;
    }
    Instant inTime = now.plus(share(ahead, LATEST_SHARE - SPREAD_SHARE * spread));
    Instant windowBefore = next.minus(share(limits.window(), 1 - spread / 2));
    Instant latest = now.plus(share(LONGEST_PAUSE, 1 - spread / 4));
    Instant pause = windowBefore.isBefore(latest) ? windowBefore : latest;
    return pause.isAfter(inTime) ? pause : inTime;
  }

  private static Duration share(Duration whole, double share) {
    return Duration.ofMillis((long) (whole.toMillis() * share));
  }
}
