package io.millrace.console.http.server;

import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Counts what a stranger can make happen as often as they like, and has it logged at most once a
 * minute: the first at once, those after it as a number. Thread-safe.
 */
final class Tally {
  static final Duration PERIOD = Duration.ofMinutes(1);

  private final LongConsumer tell;
  private long untold;
  private long quietUntil = Long.MIN_VALUE;

  /**
   * @param tell how often it has happened since it was last told
   */
  Tally(LongConsumer tell) {
    this.tell = tell;
  }

  /** It has happened. */
  synchronized void add(long now) {
    untold++;
    tellIfDue(now);
  }

  /** Tells what has not been told; asked again and again. */
  synchronized void tellIfDue(long now) {
    if (untold > 0 && now >= quietUntil) {
      quietUntil = now + PERIOD.toMillis();
      tell.accept(untold);
      untold = 0;
    }
  }
}
