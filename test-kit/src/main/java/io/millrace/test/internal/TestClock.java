package io.millrace.test.internal;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Supplier;

/** The clock of a test as a clock of the JDK. Thread-safe. */
public final class TestClock extends Clock {
  private final Supplier<Instant> now;
  private final ZoneId zone;

  public TestClock(Supplier<Instant> now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new TestClock(now, other);
  }

  @Override
  public Instant instant() {
    return now.get();
  }
}
