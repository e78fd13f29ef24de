package io.millrace.torture.attack;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The end of an attack and its rate until then. */
final class Deadline {
  private final long begin = System.nanoTime();
  private final long nanos;

  Deadline(int seconds) {
    this.nanos = TimeUnit.SECONDS.toNanos(seconds);
  }

  boolean isOver() {
    return System.nanoTime() - begin >= nanos;
  }

  /** Waits until this number of steps is due at this rate; returns false after the deadline. */
  boolean pace(long steps, int perSecond) {
    long due = begin + TimeUnit.SECONDS.toNanos(steps) / perSecond;
    for (long left = due - System.nanoTime(); left > 0 && !isOver(); ) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
      left = due - System.nanoTime();
    }
    return !isOver();
  }

  /** Waits until the deadline, so that the attack keeps its resources open. */
  void hold() {
    while (!isOver()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
