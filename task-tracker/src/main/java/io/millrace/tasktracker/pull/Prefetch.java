package io.millrace.tasktracker.pull;

import io.millrace.common.time.Clock;
import java.time.Duration;

/**
 * How many executions to ask for beyond the slots: as many as the slots have lately ended in the
 * time that one should wait at most until a slot is free for it, and never more than a bound. So
 * slots whose bodies are over at once have their next ones at hand while the next pull is under
 * way, and a worker whose bodies take longer than that asks for none that another could have run.
 *
 * <p>By Little's law: what waits is the rate at which it leaves times how long it waits.
 *
 * <p>Confined to the loop.
 */
final class Prefetch {
  /** How long what was asked for beyond the slots waits for one, about and at most. */
  static final Duration LONGEST_WAIT = Duration.ofMillis(50);

  /** Ends are counted over one to two of these. */
  private static final long COUNTED_NANOS = Duration.ofMillis(50).toNanos();

  private final int most;
  private final Clock clock;
  private long began;
  private int endedBefore;
  private int ended;

  /**
   * @param most executions beyond the slots; 0 for none
   */
  Prefetch(int most, Clock clock) {
    this.most = most;
    this.clock = clock;
    this.began = clock.nanoTime();
  }

  /** A body has ended. */
  void ended() {
    turnOver(clock.nanoTime());
    ended++;
  }

  /** How many executions to hold beyond the slots now. */
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
