package io.millrace.tasktracker;

import java.time.Duration;

/**
 * How long a graceful stop may take.
 *
 * @param grace how long bodies may go on before they are interrupted
 * @param interruptGrace how long bodies may take to give way to the interrupt
 * @param flush how long results and log lines may take to reach the tracker
 */
record StopConfig(Duration grace, Duration interruptGrace, Duration flush) {
  public StopConfig {
    requireNotNegative("grace", grace);
    requireNotNegative("interruptGrace", interruptGrace);
    requireNotNegative("flush", flush);
  }

  private static void requireNotNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative: " + value);
    }
  }

  /** The longest a stop takes. The flush counts twice: towards the tracker, and to the disk. */
  Duration total() {
    return grace.plus(interruptGrace).plus(flush.multipliedBy(2));
  }
}
