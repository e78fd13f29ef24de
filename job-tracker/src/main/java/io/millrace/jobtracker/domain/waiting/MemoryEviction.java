package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds the triggers in memory. Beyond the bounds, the last ones in their order are evicted, so
 * that bulk work of a low priority never displaces work of a higher one. Immutable and thread-safe.
 *
 * @param maxCount the most triggers held
 * @param maxBytes the most bytes held, by estimate; a single trigger may exceed them, otherwise it
 *     could never be handed out
 */
record MemoryEviction(int maxCount, long maxBytes) {
  static final MemoryEviction NONE = new MemoryEviction(Integer.MAX_VALUE, Long.MAX_VALUE);

  /** Triggers in memory, in an order. */
  interface Evictable {
    int size();

    /** Bytes held, by estimate. */
    long bytes();

    /** Removes and returns the trigger to be evicted first; there is at least one trigger. */
    WaitingTrigger removeLast();
  }

  MemoryEviction {
    if (maxCount < 1 || maxBytes < WaitingDeque.ROW_BYTES) {
      throw new IllegalArgumentException("memory must hold at least one trigger");
    }
  }

  /** Removes triggers until the rest is within the bounds; returns them, last in order first. */
  List<WaitingTrigger> evict(Evictable held) {
    List<WaitingTrigger> evicted = List.of();
    while (held.size() > maxCount || (held.bytes() > maxBytes && held.size() > 1)) {
      evicted = evicted.isEmpty() ? new ArrayList<>() : evicted;
      evicted.add(held.removeLast());
    }
    return evicted;
  }

  /**
   * Whether triggers fill less than a part of the limit, in count and in bytes.
   *
   * @param divisor 2 for half of the limit
   */
  boolean isFilledBelow(int count, long bytes, int divisor) {
    return count < maxCount / divisor && bytes < maxBytes / divisor;
  }
}
