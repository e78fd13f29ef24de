package io.millrace.jobtracker.domain.schedule;

import java.time.Duration;

/**
 * How far and how much one generation plans.
 *
 * @param window how far ahead triggers are written
 * @param maxTriggers how many triggers one plan of one job holds at most
 * @param misfireThreshold how old a fire time without a trigger may be and still be written as if
 *     it were in time; older ones are missed
 * @param catchUpWindow how old the latest missed fire time may be and still run
 */
public record GenerationLimits(
    Duration window, int maxTriggers, Duration misfireThreshold, Duration catchUpWindow) {

  /** Ten minutes ahead, 1,000 triggers, missed after a minute, caught up within the hour. */
  public static final GenerationLimits DEFAULT =
      new GenerationLimits(
          Duration.ofMinutes(10), 1_000, Duration.ofSeconds(60), Duration.ofHours(1));

  public GenerationLimits {
    require(!window.isNegative() && !window.isZero(), "window", window);
    require(maxTriggers >= 1, "maxTriggers", maxTriggers);
    require(!misfireThreshold.isNegative(), "misfireThreshold", misfireThreshold);
    require(!catchUpWindow.isNegative(), "catchUpWindow", catchUpWindow);
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value);
    }
  }
}
