package io.millrace.tasktracker.internal.execute;

import io.millrace.internal.config.Bounds;
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
    Bounds.atLeast(Duration.ZERO).check("interruptGrace", interruptGrace);
    Bounds.between(0, MAX_STUCK_INVOCATIONS).check("maxStuckInvocations", maxStuckInvocations);
  }
}
