package io.millrace.torture.attack;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** When an attack ends, and how fast it goes until then. */
final class Deadline {
  private final long begin = System.nanoTime();
  private final long nanos;

  Deadline(int seconds) {
    this.nanos = TimeUnit.SECONDS.toNanos(seconds);
  }

  boolean isOver() {
    return System.nanoTime() - begin >= nanos;
  }

  /** Waits until so many steps may have been taken at this rate; returns false once it is over. */
  boolean pace(long steps, int perSecond) {
    long due = begin + TimeUnit.SECONDS.toNanos(steps) / perSecond;
    for (long left = due - System.nanoTime(); left > 0 && !isOver(); ) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
      left = due - System.nanoTime();
    }
    return !isOver();
  }

  /** Waits until the end, with all that is held held on to. */
  void hold() {
    while (!isOver()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
