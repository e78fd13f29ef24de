package io.millrace.tasktracker.execute;

import java.time.Duration;

/**
 * How a worker ends bodies.
 *
 * @param interruptGrace how long a body may take to end after the interrupt of a time-out, a
 *     terminate, or a lease that the tracker reports as lost, before it counts as stuck; not
 *     negative
 * @param maxStuckBodies maximum number of bodies that ignored their interrupt and whose slots are
 *     used for other work, so that each occupies a thread beyond the slots; 0 to {@value
 *     #MAX_STUCK_BODIES}
 * @param interruptWhenLost whether a body is interrupted when its lease is lost; otherwise it is
 *     only notified
 */
public record ExecuteConfig(
    Duration interruptGrace, int maxStuckBodies, boolean interruptWhenLost) {

  /** The upper bound of {@code maxStuckBodies}, because each stuck body occupies a thread. */
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
