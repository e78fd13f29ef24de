package io.millrace.jobclient.outbox;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are held, by key, and which entries may be delivered: of each key one at a time,
 * oldest first. A key is held from the moment a request of it is to be kept until the last one of
 * it has left the disk. Not thread-safe.
 */
final class Lines {
  private final Map<String, Integer> held = new HashMap<>();
  private final Map<Long, String> keys = new HashMap<>();

  /** Entries without an answer, by key, in their order. */
  private final Map<String, Deque<Long>> lines = new HashMap<>();

  private final TreeSet<Long> ready = new TreeSet<>();
  private final Set<Long> underWay = new HashSet<>();

  /** A request of this key is held from now on. */
  void hold(String key) {
    held.merge(key, 1, Integer::sum);
  }

  /** A request of this key is held no more. */
  void letGo(String key) {
    held.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
  }

  boolean holds(String key) {
    return held.containsKey(key);
  }

  /** Whether nothing is held. */
  boolean isEmpty() {
    return held.isEmpty();
  }

  boolean knows(long sequence) {
    return keys.containsKey(sequence);
  }

  /** A request that is held has become an entry, newer than all others of its key. */
  void add(String key, long sequence) {
    keys.put(sequence, key);
    Deque<Long> line = lines.computeIfAbsent(key, unused -> new ArrayDeque<>(1));
    line.addLast(sequence);
    if (line.size() == 1) {
      ready.add(sequence);
    }
  }

  /** The oldest entry that may be delivered, which is under way from now on; null if none may. */
  @Nullable Long take() {
    Long next = ready.pollFirst();
    if (next != null) {
      underWay.add(next);
    }
    return next;
  }

  /** An entry that was taken is not under way after all. */
  void putBack(long sequence) {
    underWay.remove(sequence);
    ready.add(sequence);
  }

  int underWay() {
    return underWay.size();
  }

  /** An entry waits for no answer any more; the next one of its key may go. False if it did not. */
  boolean end(long sequence) {
    String key = keys.get(sequence);
    Deque<Long> line = key == null ? null : lines.get(key);
    if (key == null || line == null || !line.contains(sequence)) {
      return false;
    }
    underWay.remove(sequence);
    ready.remove(sequence);
    boolean wasFirst = line.getFirst() == sequence;
    line.remove(sequence);
    if (line.isEmpty()) {
      lines.remove(key);
    } else if (wasFirst) {
      ready.add(line.getFirst());
    }
    return true;
  }

  /** An entry has left the disk. */
  void remove(long sequence) {
    boolean unused = end(sequence);
    String key = keys.remove(sequence);
    if (key != null) {
      letGo(key);
    }
  }
}
