package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.time.Clock;
import java.time.Duration;

/**
 * Calculates how many executions to pull beyond the slots: as many as the slots have recently
 * completed within {@link #LONGEST_WAIT}, and at most a bound. Slots with short invocations then
 * have their next executions available while the next pull is under way. A worker with longer
 * invocations pulls no executions that another worker could run.
 *
 * <p>Based on Little's law: the number of waiting executions is the rate at which they leave times
 * the time that each waits.
 *
 * <p>Confined to the loop.
 */
final class Prefetch {
  /** The approximate maximum time that an execution beyond the slots waits for a slot. */
  static final Duration LONGEST_WAIT = Duration.ofMillis(50);

  /** The period over which ends are counted; a count covers one to two periods. */
  private static final long COUNTED_NANOS = Duration.ofMillis(50).toNanos();

  private final int most;
  private final Clock clock;
  private long began;
  private int endedBefore;
  private int ended;

  /**
   * Creates a calculation without ended invocations.
   *
   * @param most maximum number of executions beyond the slots; 0 for none
   */
  Prefetch(int most, Clock clock) {
    this.most = most;
    this.clock = clock;
    this.began = clock.nanoTime();
  }

  /** Records that an invocation has ended. */
  void ended() {
    turnOver(clock.nanoTime());
    ended++;
  }

  /** Returns how many executions to hold beyond the slots now. */
  int allowance() {
    long now = clock.nanoTime();
    turnOver(now);
    double perNano = (double) (endedBefore + ended) / (COUNTED_NANOS + (now - began));
    return (int) Math.min(most, perNano * LONGEST_WAIT.toNanos());
  }

  private void turnOver(long now) {
    long periods = (now - began) / COUNTED_NANOS;
    if (periods > 0) {
      endedBefore = periods == 1 ? ended : 0;
      ended = 0;
      began += periods * COUNTED_NANOS;
    }
  }
}
