package io.millrace.tasktracker.internal.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records which attempts have a slot, and which wait for one, in the order of their arrival. The
 * number of attempts with a slot never exceeds the number of slots.
 *
 * <p>Confined to the loop.
 */
final class InvocationSlots {
  private record Waiting(Attempt attempt, long since) {}

  private final int slots;
  private final Set<Attempt> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  InvocationSlots(int slots) {
    this.slots = slots;
  }

  /**
   * Gives the attempt a slot, or lets it wait for one.
   *
   * @param now the monotonic time, in nanoseconds
   * @return whether the attempt has a slot
   */
  boolean take(Attempt attempt, long now) {
    if (taken.size() < slots) {
      return taken.add(attempt);
    }
    waiting.add(new Waiting(attempt, now));
    return false;
  }

  /**
   * Removes an attempt that is over or no longer needs a slot. It may have a slot, or wait for one.
   */
  void leave(Attempt attempt) {
    if (!taken.remove(attempt)) {
      waiting.removeIf(each -> each.attempt() == attempt);
    }
  }

  /**
   * Gives a free slot to the attempt that has waited longest. Returns null if no slot is free or no
   * attempt waits.
   */
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

  /**
   * Returns the attempts that have waited since this time or longer, in the order of their arrival.
   */
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
