package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.MisfirePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans the triggers of a job that is not chained. Immutable and thread-safe; equal arguments give
 * equal plans, so generating twice from one mark is harmless.
 *
 * <p>A plan starts at the mark: each fire time after the mark is in exactly one of the following
 * plans, as planned or as skipped.
 *
 * <p>A fire time is missed if it is older than the misfire threshold, or if a later one is due. The
 * job's policy decides which missed ones are planned even so; the others are skipped. If there are
 * more than {@link MissedFires} counts at a time, the plan skips those that are certain to be
 * skipped, plans nothing and asks for another plan at once, so that every count is exact.
 */
public final class GenerationPlanner {
  /**
   * Fire times far ahead are planned again after this time, in case the zone's rules have changed.
   */
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  /**
   * Shares of the time that a plan covers: the latest moment for the next plan, and how much
   * earlier it may be.
   */
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

  /** Plans with a spread of 0: the next plan is due as late as possible. */
  GenerationPlan plan(FireTimes times, MisfirePolicy misfire, Instant generatedUntil, Instant now) {
    return plan(times, misfire, generatedUntil, now, 0);
  }

  /**
   * Plans from a mark up to now and the window, or less far if the job fires often.
   *
   * <p>The next plan is due after five to nine tenths of the time that this one covers. If the next
   * fire time is further away, it is due half a window to a window before that fire time, but
   * within a day. The spread decides where in that range, so that jobs that fire together are not
   * all planned again together.
   *
   * @param times the job's fire times; not those of a fixed delay, which are written one by one
   * @param misfire the policy for fire times that were missed
   * @param generatedUntil the job's mark; of a new job, the millisecond before it was accepted
   * @param now the tracker's time
   * @param spread at least 0 and less than 1, different for each job and each plan
   */
  public GenerationPlan plan(
      FireTimes times, MisfirePolicy misfire, Instant generatedUntil, Instant now, double spread) {
    if (!times.isForeseeable()) {
      throw new IllegalArgumentException("triggers of a fixed delay cannot be generated ahead");
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

  /**
   * Fire times after now that earlier plans have written, counted up to the number that matters.
   */
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
