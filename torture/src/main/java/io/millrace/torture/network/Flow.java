package io.millrace.torture.network;

import java.time.Duration;

/**
 * What becomes of bytes that go one way.
 *
 * @param kind what is done with them
 * @param delay how long each read waits before it is written on; zero unless it is delayed
 */
record Flow(Kind kind, Duration delay) {
  static final Flow FORWARD = new Flow(Kind.FORWARD, Duration.ZERO);
  static final Flow HOLD = new Flow(Kind.HOLD, Duration.ZERO);
  static final Flow SWALLOW = new Flow(Kind.SWALLOW, Duration.ZERO);

  enum Kind {
    FORWARD,
    /** Kept until this is over, then written on. */
    HOLD,
    /** Read, and gone. */
    SWALLOW
  }

  static Flow delayed(Duration delay) {
    return new Flow(Kind.FORWARD, delay);
  }

  /** Whether nothing arrives, not even that the other end has closed. */
  boolean isDark() {
    return kind != Kind.FORWARD;
  }
}
