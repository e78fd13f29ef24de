package io.millrace.jobtracker.group.preload;

import io.millrace.internal.time.TimedExecutor;
import java.time.Duration;
import java.util.Collection;
import java.util.function.LongConsumer;

/**
 * Starts claims when rows that memory holds may be claimed, and when they fall due. All rows that
 * fall due at one instant share one entry of the timer wheel. Thread-safe.
 */
final class DueTimer {
  private final TimedExecutor time;
  private final Duration claimAhead;
  private final Runnable onDue;
  private final LongConsumer fallDue;

  /**
   * @param claimAhead how long before their due time rows may be claimed; zero to claim nothing
   *     ahead
   * @param onDue called when rows have fallen due or may be claimed
   * @param fallDue called before that with the time, when rows have fallen due
   */
  DueTimer(TimedExecutor time, Duration claimAhead, Runnable onDue, LongConsumer fallDue) {
    this.time = time;
    this.claimAhead = claimAhead;
    this.onDue = onDue;
    this.fallDue = fallDue;
  }

  /** Awaits these due times, in epoch milliseconds. */
  void await(Collection<Long> dueTimes) {
    dueTimes.forEach(this::awaitClaim);
  }

  private void awaitClaim(long dueAt) {
    if (claimAhead.isZero()) {
      putOnWheel(dueAt);
      return;
    }
    time.schedule(
        Duration.ofMillis(dueAt - time.millis()).minus(claimAhead),
        () -> {
          onDue.run();
          putOnWheel(dueAt);
        });
  }

  /** The wheel may be late, and the clock may be corrected: no row falls due early. */
  private void putOnWheel(long dueAt) {
    Duration delay = Duration.ofMillis(dueAt - time.millis());
    time.schedule(
        delay,
        () -> {
          long now = time.millis();
          if (now < dueAt) {
            putOnWheel(dueAt);
          } else {
            fallDue.accept(now);
            onDue.run();
          }
        });
  }
}
