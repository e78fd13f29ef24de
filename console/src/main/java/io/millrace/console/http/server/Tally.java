package io.millrace.console.http.server;

import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Counts an event that unauthenticated clients can cause without limit, and reports it at most once
 * a minute: the first occurrence at once, later ones as a number. Thread-safe.
 */
final class Tally {
  static final Duration PERIOD = Duration.ofMinutes(1);

  private final LongConsumer report;
  private long unreported;
  private long quietUntil = Long.MIN_VALUE;

  /**
   * @param report receives the number of occurrences since the last report
   */
  Tally(LongConsumer report) {
    this.report = report;
  }

  /** Counts an occurrence, and reports if a report is due. */
  synchronized void add(long now) {
    unreported++;
    reportIfDue(now);
  }

  /** Reports the unreported occurrences if a report is due; called periodically. */
  synchronized void reportIfDue(long now) {
    if (unreported > 0 && now >= quietUntil) {
      quietUntil = now + PERIOD.toMillis();
      report.accept(unreported);
      unreported = 0;
    }
  }
}
