package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.MisfirePolicy;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of fire times that were missed. Each of them up to {@link #until} either runs or is
 * skipped, and the skipped ones come first. Immutable.
 *
 * <p>The missed fire times of a grid are computed; those of a cron expression are counted one by
 * one, up to a bound. If there are more, those counted are skipped as far as that is certain, and
 * the rest is left to another decision, which starts from {@link #until}; so every count is exact.
 *
 * @param run those that run after all, rising; none unless the decision is complete
 * @param skipped those that do not run; null if there are none
 * @param until the last fire time that is decided on; the start of the decision if there is none
 * @param isComplete whether all are decided on; otherwise decide again from {@link #until}
 */
public record MissedFires(
    List<Instant> run, @Nullable SkippedRange skipped, Instant until, boolean isComplete) {

  /** How many fire times one decision counts by default, which takes about half a second. */
  public static final int MAX_COUNTED = 5_000_000;

  public MissedFires {
    run = List.copyOf(run);
  }

  /**
   * Decides on the fire times after one instant and before another.
   *
   * @param after all fire times up to here were decided on before
   * @param before fire times from here on are not missed
   * @param policy decides which run; its cap is less than {@code maxCounted}
   * @param now the tracker's time, from which the policy's window reaches back
   * @param maxCounted how many fire times are counted at most
   */
  public static MissedFires decide(
      FireTimes times,
      Instant after,
      Instant before,
      MisfirePolicy policy,
      Instant now,
      int maxCounted) {
    int keep = mayRun(policy);
    if (keep >= maxCounted) {
      throw new IllegalArgumentException(
          "a cap of " + keep + " leaves nothing to skip of " + maxCounted + " counted");
    }
    FireRun missed = times.runBetween(after, before, maxCounted, keep);
    if (!missed.isComplete()) {
      Instant until = Objects.requireNonNull(missed.lastBeforeKept(), "more than are kept");
      return new MissedFires(List.of(), missed.beforeKept(), until, false);
    }
    FireRun inWindow = missed.keepingFrom(windowStart(policy, now));
    return new MissedFires(inWindow.kept(), inWindow.beforeKept(), inWindow.lastOr(after), true);
  }

  /** The most missed fire times that run, regardless of their age. */
  public static int mayRun(MisfirePolicy policy) {
    return switch (policy.kind()) {
      case NONE -> 0;
      case LATEST, UNKNOWN -> 1;
      case ALL -> Math.max(0, policy.cap());
    };
  }

  /** The last instant at which a missed fire time may still run, in epoch milliseconds. */
  public static long runnableUntil(MisfirePolicy policy, long plannedAt) {
    return plannedAt + EpochMillis.of(policy.window());
  }

  /** The earliest planned instant of a missed fire time that may still run. */
  public static Instant windowStart(MisfirePolicy policy, Instant now) {
    long window = EpochMillis.of(policy.window());
    return EpochMillis.toInstant(EpochMillis.of(now) - window);
  }
}
