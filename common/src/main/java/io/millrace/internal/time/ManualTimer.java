package io.millrace.internal.time;

import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A timer over a {@link ManualClock}: for tests, and for driving a cluster by hand. The thread that
 * lets time pass hands over tasks in the order of their due times, and those with equal due times
 * in the order of scheduling; the clock is then exactly at the due time.
 *
 * <p>Time on this timer passes by {@link #advance}, {@link #advanceTo} or {@link #runNext}. If the
 * clock is moved directly, tasks become overdue, and the next of these calls hands them over. As
 * with {@link WheelTimer}, an executor may reject a task; unlike there, any other exception of an
 * executor reaches the caller. Thread-safe, but only one thread should let time pass.
 */
public final class ManualTimer implements Timer {
  private static final Logger LOG = LoggerFactory.getLogger(ManualTimer.class);

  /** About 36 years: practically never, and its sum with the clock's nanoseconds fits in a long. */
  private static final Duration LONGEST_DELAY = Duration.ofNanos(Long.MAX_VALUE / 8);

  private final ManualClock clock;
  private final TreeSet<Entry> entries =
      new TreeSet<>(Comparator.comparingLong(Entry::dueNanos).thenComparingLong(Entry::sequence));
  private long sequence;

  public ManualTimer(ManualClock clock) {
    this.clock = clock;
  }

  @Override
  public Timeout schedule(Duration delay, Executor executor, Runnable task) {
    if (delay.isNegative() || delay.isZero()) {
      handOver(executor, task);
      return () -> false;
    }
    synchronized (entries) {
      Entry entry = new Entry(dueNanos(delay), sequence++, executor, task);
      entries.add(entry);
      return () -> take(entry);
    }
  }

  /**
   * Lets this much time pass and hands over the tasks that fall due, including newly scheduled
   * ones.
   */
  public void advance(Duration duration) {
    advanceToNanoTime(Math.addExact(clock.nanoTime(), duration.toNanos()));
  }

  /**
   * Lets time pass until the clock shows these epoch milliseconds; does not set it back.
   *
   * @throws IllegalArgumentException if the clock is past them
   */
  public void advanceTo(long millis) {
    long now = clock.millis();
    if (millis < now) {
      throw new IllegalArgumentException("the clock shows " + now + ", which is after " + millis);
    }
    advance(Duration.ofMillis(millis - now));
  }

  /**
   * Moves the clock to the next due time and hands over the first task that is due then.
   *
   * @return false if no task waits; the clock then does not move
   */
  public boolean runNext() {
    return runNextUntil(Long.MAX_VALUE);
  }

  /** The clock's epoch milliseconds when the next task will be handed over; empty if none waits. */
  public OptionalLong nextDueMillis() {
    synchronized (entries) {
      if (entries.isEmpty()) {
        return OptionalLong.empty();
      }
      long wait = Math.max(0, entries.first().dueNanos() - clock.nanoTime());
      return OptionalLong.of(clock.millisAfter(wait));
    }
  }

  /** How many tasks wait for their time. */
  public int pending() {
    synchronized (entries) {
      return entries.size();
    }
  }

  private void advanceToNanoTime(long target) {
    if (target < clock.nanoTime()) {
      throw new IllegalArgumentException("time cannot go backwards");
    }
    while (runNextUntil(target)) {}
    clock.advanceToNanoTime(target);
  }

  private boolean runNextUntil(long target) {
    Entry next;
    synchronized (entries) {
      if (entries.isEmpty() || entries.first().dueNanos() > target) {
        return false;
      }
      next = entries.pollFirst();
    }
    clock.advanceToNanoTime(next.dueNanos());
    handOver(next.executor(), next.task());
    return true;
  }

  private boolean take(Entry entry) {
    synchronized (entries) {
      return entries.remove(entry);
    }
  }

  private long dueNanos(Duration delay) {
    Duration bounded = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    return clock.nanoTime() + bounded.toNanos();
  }

  private static void handOver(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException refused) {
      LOG.warn("{} rejected {}, which will not run", executor, task, refused);
    }
  }

  private record Entry(long dueNanos, long sequence, Executor executor, Runnable task) {}
}
