package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Triggers in a total order, each row once, within a {@link MemoryEviction}. Every operation except
 * {@code oldestDueAt}, which is O(n), is O(log n) for each trigger added or removed. Not
 * thread-safe.
 */
final class WaitingDeque implements MemoryEviction.Evictable {
  /** The bytes of a trigger without its parameters: a generous estimate. */
  static final int ROW_BYTES = 512;

  private final MemoryEviction limit;
  private final NavigableSet<WaitingTrigger> ordered;
  private final Map<Long, WaitingTrigger> byId = new HashMap<>();
  private long bytes;

  /**
   * @param order total: two rows compare as equal only if they are the same row
   */
  WaitingDeque(MemoryEviction limit, Comparator<? super WaitingTrigger> order) {
    this.limit = limit;
    this.ordered = new TreeSet<>(order);
  }

  /**
   * Adds a trigger unless it is present already.
   *
   * @return the triggers that were evicted, last in order first; includes the one offered if there
   *     is no room for it
   */
  List<WaitingTrigger> offer(WaitingTrigger trigger) {
    if (byId.putIfAbsent(trigger.id(), trigger) != null) {
      return List.of();
    }
    ordered.add(trigger);
    bytes += weight(trigger);
    return limit.evict(this);
  }

  @Override
  public WaitingTrigger removeLast() {
    WaitingTrigger last = ordered.last();
    ordered.remove(last);
    forget(last);
    return last;
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

  @Override
  public int size() {
    return byId.size();
  }

  /** The earliest due time, regardless of priority; {@link Long#MAX_VALUE} if it is empty. */
  long oldestDueAt() {
    return byId.values().stream().mapToLong(WaitingTrigger::dueAt).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** Whether it is less than half full, in count and in bytes. */
  boolean runsLow() {
    return limit.isFilledBelow(byId.size(), bytes, 2);
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
