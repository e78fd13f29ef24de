package io.millrace.torture.network;

import java.time.Duration;

/**
 * How bytes of one direction are handled.
 *
 * @param kind how they are handled
 * @param delay the delay before data that was read is written; zero for none
 */
record Flow(Kind kind, Duration delay) {
  static final Flow FORWARD = new Flow(Kind.FORWARD, Duration.ZERO);
  static final Flow HOLD = new Flow(Kind.HOLD, Duration.ZERO);
  static final Flow SWALLOW = new Flow(Kind.SWALLOW, Duration.ZERO);

  enum Kind {
    FORWARD,
    /** Held until the fault is over, then written. */
    HOLD,
    /** Read and discarded. */
    SWALLOW
  }

  static Flow delayed(Duration delay) {
    return new Flow(Kind.FORWARD, delay);
  }

  /** Returns whether nothing is delivered, not even the close of the other end. */
  boolean isDark() {
    return kind != Kind.FORWARD;
  }
}
