package io.millrace.tasktracker.execute;

import java.time.Duration;

/**
 * How a worker ends invocations.
 *
 * @param interruptGrace how long an invocation may take to end after the interrupt of a time-out, a
 *     terminate, or a lease that the tracker reports as lost, before it counts as stuck; not
 *     negative
 * @param maxStuckInvocations maximum number of invocations that ignored their interrupt and whose
 *     slots are used for other work, so that each occupies a thread beyond the slots; 0 to {@value
 *     #MAX_STUCK_INVOCATIONS}
 * @param interruptWhenLost whether an invocation is interrupted when its lease is lost; otherwise
 *     it is only notified
 */
public record ExecuteConfig(
    Duration interruptGrace, int maxStuckInvocations, boolean interruptWhenLost) {

  /**
   * The upper bound of {@code maxStuckInvocations}, because each stuck invocation occupies a
   * thread.
   */
  public static final int MAX_STUCK_INVOCATIONS = 10_000;

  public ExecuteConfig {
    if (interruptGrace.isNegative()) {
      throw new IllegalArgumentException("interruptGrace must not be negative: " + interruptGrace);
    }
    if (maxStuckInvocations < 0 || maxStuckInvocations > MAX_STUCK_INVOCATIONS) {
      throw new IllegalArgumentException(
          "maxStuckInvocations must be between 0 and "
              + MAX_STUCK_INVOCATIONS
              + ": "
              + maxStuckInvocations);
    }
  }
}
