package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Triggers in a total order, each row once. Bounded in count and in bytes: when full it keeps the
 * first ones, so that bulk work of a low priority never keeps out a higher one. A single trigger
 * may exceed the bytes; otherwise it could never be handed out. Every operation except {@code
 * oldestDueAt}, which is O(n), is O(log n) for each trigger added or removed. Not thread-safe.
 */
final class WaitingDeque {
  /** The bytes of a trigger without its parameters: a generous estimate. */
  static final int ROW_BYTES = 512;

  private final int maxCount;
  private final long maxBytes;
  private final NavigableSet<WaitingTrigger> ordered;
  private final Map<Long, WaitingTrigger> byId = new HashMap<>();
  private long bytes;

  /**
   * @param order total: two rows compare as equal only if they are the same row
   */
  WaitingDeque(int maxCount, long maxBytes, Comparator<? super WaitingTrigger> order) {
    if (maxCount < 1 || maxBytes < ROW_BYTES) {
      throw new IllegalArgumentException("a deque must hold at least one trigger");
    }
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
    this.ordered = new TreeSet<>(order);
  }

  /**
   * Adds a trigger unless it is present already.
   *
   * @return the triggers that had to leave, last in order first; includes the one offered if there
   *     is no room for it
   */
  List<WaitingTrigger> offer(WaitingTrigger trigger) {
    if (byId.putIfAbsent(trigger.id(), trigger) != null) {
      return List.of();
    }
    ordered.add(trigger);
    bytes += weight(trigger);
    List<WaitingTrigger> left = List.of();
    while (isOverfull()) {
      WaitingTrigger last = ordered.last();
      remove(last.id());
      left = left.isEmpty() ? new ArrayList<>() : left;
      left.add(last);
    }
    return left;
  }

  /** Removes and returns the first trigger, or null if there is none. */
  @Nullable WaitingTrigger poll() {
    WaitingTrigger first = ordered.pollFirst();
    if (first != null) {
      forget(first);
    }
    return first;
  }

  /** The first trigger, or null if there is none. */
  @Nullable WaitingTrigger peek() {
    return ordered.isEmpty() ? null : ordered.first();
  }

  /** The last trigger, or null if there is none. */
  @Nullable WaitingTrigger peekLast() {
    return ordered.isEmpty() ? null : ordered.last();
  }

  /** Removes the trigger of this row id and returns whether it was present. */
  boolean remove(long id) {
    WaitingTrigger trigger = byId.get(id);
    if (trigger == null) {
      return false;
    }
    ordered.remove(trigger);
    forget(trigger);
    return true;
  }

  boolean contains(long id) {
    return byId.containsKey(id);
  }

  int size() {
    return byId.size();
  }

  /** The earliest due time, regardless of priority; {@link Long#MAX_VALUE} if it is empty. */
  long oldestDueAt() {
    return byId.values().stream().mapToLong(WaitingTrigger::dueAt).min().orElse(Long.MAX_VALUE);
  }

  /** Bytes held, by estimate. */
  long bytes() {
    return bytes;
  }

  /** Whether it is less than half full, in count and in bytes. */
  boolean runsLow() {
    return byId.size() < maxCount / 2 && bytes < maxBytes / 2;
  }

  private boolean isOverfull() {
    return byId.size() > maxCount || (bytes > maxBytes && byId.size() > 1);
  }

  private void forget(WaitingTrigger trigger) {
    byId.remove(trigger.id());
    bytes -= weight(trigger);
  }

  private static long weight(WaitingTrigger trigger) {
    String json = trigger.params().json();
    return ROW_BYTES + (json == null ? 0 : 2L * json.length());
  }
}
