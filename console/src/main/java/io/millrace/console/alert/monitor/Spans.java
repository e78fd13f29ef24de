package io.millrace.console.alert.monitor;

import java.time.Duration;

/** Spans of time between readings of a clock that may be set. */
final class Spans {
  /** An instant before all others. */
  static final long NEVER = Long.MIN_VALUE;

  private Spans() {}

  /**
   * Whether the span has passed since then. A clock that was set back counts as passed, so that it
   * never causes a wait.
   */
  static boolean passed(long since, long now, Duration span) {
    return since == NEVER || now < since || now - since >= span.toMillis();
  }
}
