package io.millrace.tasktracker.internal.execute;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records which attempts have a slot, and which wait for one. The number of attempts with a slot
 * never exceeds the number of slots.
 *
 * <p>Those that wait get slots in the order of their arrival, but parts of runs yield to others:
 * while both wait, three others go for each part. So a job that falls due while a large run is
 * under way does not wait for the parts that were prefetched before it, and parts do not wait until
 * no other job does.
 *
 * <p>Confined to the loop.
 */
final class InvocationSlots {
  /** How many others go for each part that waits. */
  static final int OTHERS_FOR_ONE = 3;

  private record Waiting(Attempt attempt, long since) {}

  private final int slots;
  private final Set<Attempt> taken = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Waiting> parts = new ArrayDeque<>();
  private final Deque<Waiting> others = new ArrayDeque<>();
  private int othersInARow;

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
    queueOf(attempt).add(new Waiting(attempt, now));
    return false;
  }

  /**
   * Removes an attempt that is over or no longer needs a slot. It may have a slot, or wait for one.
   */
  void leave(Attempt attempt) {
    if (!taken.remove(attempt)) {
      queueOf(attempt).removeIf(each -> each.attempt() == attempt);
    }
  }

  /**
   * Gives a free slot to the attempt whose turn it is. Returns null if no slot is free or no
   * attempt waits.
   */
  @Nullable Attempt next() {
    if (taken.size() >= slots || !isAnyWaiting()) {
      return null;
    }
    boolean isTurnOfPart = others.isEmpty() || (!parts.isEmpty() && othersInARow >= OTHERS_FOR_ONE);
    othersInARow = isTurnOfPart || parts.isEmpty() ? 0 : othersInARow + 1;
    Attempt next = (isTurnOfPart ? parts : others).remove().attempt();
    taken.add(next);
    return next;
  }

  private Deque<Waiting> queueOf(Attempt attempt) {
    return attempt.context().isPart() ? parts : others;
  }

  boolean isAnyWaiting() {
    return !parts.isEmpty() || !others.isEmpty();
  }

  /** Returns the attempts that have waited since this time or longer, the longest first. */
  List<Attempt> waitingSince(long then) {
    return Stream.concat(parts.stream(), others.stream())
        .filter(each -> each.since() - then <= 0)
        .sorted((one, other) -> Long.signum(one.since() - other.since()))
        .map(Waiting::attempt)
        .toList();
  }
}
