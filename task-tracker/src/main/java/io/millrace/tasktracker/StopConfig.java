package io.millrace.tasktracker;

import io.millrace.internal.config.Bounds;
import java.time.Duration;

/**
 * The bounds of a graceful stop. No bound is negative.
 *
 * @param grace how long invocations may continue before they are interrupted
 * @param interruptGrace how long invocations may take to end after the interrupt
 * @param flush how long results and log lines may take to reach the tracker
 */
record StopConfig(Duration grace, Duration interruptGrace, Duration flush) {
  public StopConfig {
    Bounds<Duration> notNegative = Bounds.atLeast(Duration.ZERO);
    notNegative.check("grace", grace);
    notNegative.check("interruptGrace", interruptGrace);
    notNegative.check("flush", flush);
  }

  /**
   * Returns the longest time of a stop. The flush counts twice: once to the tracker and once to the
   * disk.
   */
  Duration total() {
    return grace.plus(interruptGrace).plus(flush.multipliedBy(2));
  }
}
