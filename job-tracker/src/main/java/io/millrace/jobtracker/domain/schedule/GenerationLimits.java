package io.millrace.jobtracker.domain.schedule;

import io.millrace.common.model.MisfirePolicy;
import java.time.Duration;

/**
 * How far and how much one generation plans, and when a fire time counts as missed.
 *
 * @param window how far ahead triggers are written
 * @param maxTriggers how many triggers one plan of one job holds at most
 * @param misfireThreshold how old a fire time may be and still be in time, 1 second to 1 day; older
 *     ones that nobody has drawn are missed
 */
public record GenerationLimits(Duration window, int maxTriggers, Duration misfireThreshold) {
  private static final Duration SHORTEST_THRESHOLD = Duration.ofSeconds(1);
  private static final Duration LONGEST_THRESHOLD = Duration.ofDays(1);

  /** Ten minutes ahead, 1,000 triggers, missed after a minute. */
  public static final GenerationLimits DEFAULT =
      new GenerationLimits(Duration.ofMinutes(10), 1_000, Duration.ofSeconds(60));

  public GenerationLimits {
    require(!window.isNegative() && !window.isZero(), "window", window);
    require(maxTriggers >= 1, "maxTriggers", maxTriggers);
    if (misfireThreshold.compareTo(SHORTEST_THRESHOLD) < 0
        || misfireThreshold.compareTo(LONGEST_THRESHOLD) > 0) {
      throw new IllegalArgumentException(
          "the misfire threshold is 1 second to 1 day, not " + misfireThreshold);
    }
  }

  /** Fire times before this instant are missed. */
  public long missedBefore(long now) {
    return now - misfireThreshold.toMillis();
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
