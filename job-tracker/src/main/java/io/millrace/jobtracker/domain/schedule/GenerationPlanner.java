package io.millrace.jobtracker.domain.schedule;

import io.millrace.common.model.MisfirePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans the triggers of a job that is not chained. Immutable and thread-safe; equal arguments give
 * equal plans, so generating twice from one mark is harmless.
 *
 * <p>A plan takes up where the mark stands: each fire time after the mark is in exactly one of the
 * plans that follow, as planned or as skipped.
 *
 * <p>Missed are the fire times older than the misfire threshold. The job's policy says which of
 * them are planned all the same; the others are skipped. If there are more than {@link MissedFires}
 * counts at a time, the plan skips what is certain, plans nothing and asks to come again at once;
 * so every count is exact.
 */
public final class GenerationPlanner {
  /** Fire times far ahead are looked at again after this, in case the zone's rules have changed. */
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  private final GenerationLimits limits;
  private final int maxMissed;

  public GenerationPlanner(GenerationLimits limits) {
    this(limits, MissedFires.MAX_COUNTED);
  }

  GenerationPlanner(GenerationLimits limits, int maxMissed) {
    this.limits = limits;
    this.maxMissed = maxMissed;
  }

  /**
   * Plans from a mark up to now and the window.
   *
   * <p>It comes again when nine tenths of the time it has covered are over, or, if the next fire
   * time is further away, a window before that, but within a day.
   *
   * @param times the job's fire times; not those of a fixed delay, which are written one by one
   * @param misfire what becomes of those that were missed
   * @param generatedUntil the job's mark; of a new job, the millisecond before it was accepted
   * @param now the tracker's time
   */
  public GenerationPlan plan(
      FireTimes times, MisfirePolicy misfire, Instant generatedUntil, Instant now) {
    if (!times.isForeseeable()) {
      throw new IllegalArgumentException("a fixed delay cannot be generated ahead");
    }
    Instant misfiredBefore = now.minus(limits.misfireThreshold());
    MissedFires missed =
        MissedFires.decide(
            times, generatedUntil, misfiredBefore, limits.bounded(misfire), now, maxMissed);
    return missed.isComplete()
        ? planAhead(times, new ArrayList<>(missed.run()), missed.until(), now, missed.skipped())
        : new GenerationPlan(List.of(), missed.until(), now, false, missed.skipped());
  }

  private GenerationPlan planAhead(
      FireTimes times,
      List<Instant> planned,
      Instant mark,
      Instant now,
      @Nullable SkippedRange skipped) {
    Instant horizon = now.plus(limits.window());
    Instant covered = mark;
    Optional<Instant> next = times.nextAfter(mark);
    while (next.isPresent()
        && !next.get().isAfter(horizon)
        && planned.size() < limits.maxTriggers()) {
      covered = next.get();
      planned.add(covered);
      next = times.nextAfter(covered);
    }
    boolean full = next.isPresent() && !next.get().isAfter(horizon);
    if (!full && covered.isBefore(horizon)) {
      covered = horizon;
    }
    Instant covers = covered;
    Instant generateAt = next.map(instant -> generateAt(instant, covers, now)).orElse(null);
    return new GenerationPlan(planned, covered, generateAt, next.isEmpty(), skipped);
  }

  private Instant generateAt(Instant next, Instant covered, Instant now) {
    Duration ahead = Duration.between(now, covered);
    if (ahead.isNegative()) {
      return now;
    }
    Instant inTime = now.plusMillis(ahead.toMillis() * 9 / 10);
    Instant windowBefore = next.minus(limits.window());
    Instant latest = now.plus(LONGEST_PAUSE);
    Instant pause = windowBefore.isBefore(latest) ? windowBefore : latest;
    return pause.isAfter(inTime) ? pause : inTime;
  }
}
