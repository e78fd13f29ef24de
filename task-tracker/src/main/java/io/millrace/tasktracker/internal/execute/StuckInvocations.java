package io.millrace.tasktracker.internal.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The attempts that are over although their invocations continue. Up to a bound, their slots are
 * used for other work. Attempts beyond the bound keep their slots until a stuck invocation has
 * ended.
 *
 * <p>Confined to the loop, except for {@link #count}.
 */
final class StuckInvocations {
  private final int max;
  private final Set<Attempt> withoutSlot = new LinkedHashSet<>();
  private final Deque<Attempt> withSlot = new ArrayDeque<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Creates an empty set.
   *
   * @param max maximum number of stuck invocations without a slot
   */
  StuckInvocations(int max) {
    this.max = max;
  }

  int max() {
    return max;
  }

  /** Adds a stuck invocation. Returns whether its slot is free. */
  boolean add(Attempt attempt) {
    count.incrementAndGet();
    if (withoutSlot.size() < max) {
      return withoutSlot.add(attempt);
    }
    withSlot.add(attempt);
    return false;
  }

  /**
   * Removes an invocation that has ended after all. Returns whether a slot is free, its own or that
   * of another stuck invocation.
   */
  boolean remove(Attempt attempt) {
    if (withSlot.remove(attempt)) {
      count.decrementAndGet();
      return true;
    }
    if (!withoutSlot.remove(attempt)) {
      return false;
    }
    count.decrementAndGet();
    Attempt next = withSlot.poll();
    return next != null && withoutSlot.add(next);
  }

  List<Attempt> all() {
    List<Attempt> all = new ArrayList<>(withoutSlot);
    all.addAll(withSlot);
    return all;
  }

  /** Returns the number of stuck invocations. Thread-safe. */
  int count() {
    return count.get();
  }
}
