package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.MisfirePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far ahead and how much one generation plans, and when a fire time counts as missed.
 *
 * @param window how far ahead triggers are written
 * @param triggersAhead how many triggers of a job that fires often are written ahead; more only if
 *     they would not last {@link #SHORTEST_COVER}
 * @param maxTriggers how many triggers one plan of one job holds at most
 * @param misfireThreshold how old a fire time may be and still be in time, 1 second to 1 day, as
 *     long as the next one is not due; older ones that no worker has claimed are missed
 */
public record GenerationLimits(
    Duration window, int triggersAhead, int maxTriggers, Duration misfireThreshold) {
  /**
   * The triggers written ahead last at least this long (15 s), as far as one plan can hold them, so
   * that a generator that is delayed for a moment makes no trigger late.
   */
  public static final Duration SHORTEST_COVER = Duration.ofSeconds(15);

  private static final Duration SHORTEST_THRESHOLD = Duration.ofSeconds(1);
  private static final Duration LONGEST_THRESHOLD = Duration.ofDays(1);

  /** Ten minutes or 60 triggers ahead, 1,000 in a plan, missed after a minute. */
  public static final GenerationLimits DEFAULT =
      new GenerationLimits(Duration.ofMinutes(10), 60, 1_000, Duration.ofSeconds(60));

  public GenerationLimits {
    require(!window.isNegative() && !window.isZero(), "window", window);
    require(triggersAhead >= 1, "triggersAhead", triggersAhead);
    require(maxTriggers >= 1, "maxTriggers", maxTriggers);
    if (misfireThreshold.compareTo(SHORTEST_THRESHOLD) < 0
        || misfireThreshold.compareTo(LONGEST_THRESHOLD) > 0) {
      throw new IllegalArgumentException(
          "the misfire threshold must be between 1 second and 1 day, not " + misfireThreshold);
    }
  }

  /** Fire times before this instant are late by more than the threshold. */
  public long lateBefore(long now) {
    return now - misfireThreshold.toMillis();
  }

  /** The one fire time that is due and not missed: the newest one, if it is not late. */
  public Optional<Instant> inTime(FireTimes times, long now) {
    return times.lastIn(Instant.ofEpochMilli(lateBefore(now) - 1), Instant.ofEpochMilli(now));
  }

  /**
   * Fire times of a schedule before this instant are missed: they are late by more than the
   * threshold, or a later one is due.
   */
  public long missedBefore(FireTimes times, long now) {
    return inTime(times, now).map(Instant::toEpochMilli).orElse(lateBefore(now));
  }

  /** The policy with a cap that one plan can hold. */
  public MisfirePolicy bounded(MisfirePolicy policy) {
    return policy.cap() <= maxTriggers ? policy : policy.atMost(maxTriggers);
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value);
    }
  }
}
