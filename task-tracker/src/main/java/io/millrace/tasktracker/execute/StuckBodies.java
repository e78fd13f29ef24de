package io.millrace.tasktracker.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Attempts that are over although their bodies go on. Up to a bound their slots are used for other
 * work; those beyond it keep theirs until another one's body has ended.
 *
 * <p>Confined to the loop, except for {@link #count}.
 */
final class StuckBodies {
  private final int max;
  private final Set<Attempt> withoutSlot = new LinkedHashSet<>();
  private final Deque<Attempt> withSlot = new ArrayDeque<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * @param max how many may be without a slot
   */
  StuckBodies(int max) {
    this.max = max;
  }

  int max() {
    return max;
  }

  /** Takes in a body that is stuck; returns whether its slot is free. */
  boolean add(Attempt attempt) {
    count.incrementAndGet();
    if (withoutSlot.size() < max) {
      return withoutSlot.add(attempt);
    }
    withSlot.add(attempt);
    return false;
  }

  /** The body has ended after all; returns whether a slot is free, its own or another one's. */
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

  /** How many there are. Thread-safe. */
  int count() {
    return count.get();
  }
}
