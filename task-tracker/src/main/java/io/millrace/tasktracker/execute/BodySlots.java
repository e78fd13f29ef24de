package io.millrace.tasktracker.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which attempts have a slot, and which wait for one, in the order in which they came. Never more
 * have one than there are slots.
 *
 * <p>Confined to the loop.
 */
final class BodySlots {
  private record Waiting(Attempt attempt, long since) {}

  private final int slots;
  private final Set<Attempt> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  BodySlots(int slots) {
    this.slots = slots;
  }

  /**
   * Gives the attempt a slot, or has it wait for one.
   *
   * @param now on the monotonic line, in nanoseconds
   * @return whether it has one
   */
  boolean take(Attempt attempt, long now) {
    if (taken.size() < slots) {
      return taken.add(attempt);
    }
    waiting.add(new Waiting(attempt, now));
    return false;
  }

  /** The attempt is over, or needs its slot no more, if it has one; it may also have waited. */
  void leave(Attempt attempt) {
    if (!taken.remove(attempt)) {
      waiting.removeIf(each -> each.attempt() == attempt);
    }
  }

  /** Gives a free slot to the attempt that has waited longest; null if nothing is free or waits. */
  @Nullable Attempt next() {
    if (taken.size() >= slots || waiting.isEmpty()) {
      return null;
    }
    Attempt next = waiting.remove().attempt();
    taken.add(next);
    return next;
  }

  boolean isAnyWaiting() {
    return !waiting.isEmpty();
  }

  /** Those that have waited since then or longer, first come first. */
  List<Attempt> waitingSince(long then) {
    List<Attempt> since = new ArrayList<>();
    for (Waiting each : waiting) {
      if (each.since() - then <= 0) {
        since.add(each.attempt());
      }
    }
    return since;
  }
}
