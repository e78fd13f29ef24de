package io.millrace.internal.time;

/** The clocks of the machine; no other class reads them. Stateless and thread-safe. */
public final class SystemClock implements Clock {

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public String toString() {
    return "SystemClock";
  }
}
