package io.millrace.tasktracker.execute;

import java.time.Duration;

/**
 * What is done with bodies that are to end.
 *
 * @param interruptGrace how long a body may take to give way to the interrupt of a time-out or of a
 *     terminate, before it counts as stuck
 * @param maxStuckBodies bodies that ignored their interrupt and whose slots are used for other work
 *     all the same, so that each costs a thread beyond the slots
 * @param interruptWhenLost whether a body is interrupted when its lease is lost; otherwise it is
 *     told only
 */
public record ExecuteConfig(
    Duration interruptGrace, int maxStuckBodies, boolean interruptWhenLost) {

  /** Threads are not free. */
  public static final int MAX_STUCK_BODIES = 10_000;

  public ExecuteConfig {
    if (interruptGrace.isNegative()) {
      throw new IllegalArgumentException("interruptGrace must not be negative: " + interruptGrace);
    }
    if (maxStuckBodies < 0 || maxStuckBodies > MAX_STUCK_BODIES) {
      throw new IllegalArgumentException(
          "maxStuckBodies must be between 0 and " + MAX_STUCK_BODIES + ": " + maxStuckBodies);
    }
  }
}
