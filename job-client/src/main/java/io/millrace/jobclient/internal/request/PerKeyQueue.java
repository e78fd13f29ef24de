package io.millrace.jobclient.internal.request;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue of items to send, in the order of their sequence. At most one item of each key is ready
 * or taken at a time, until {@link #remove}; later items of the key wait behind it. Not
 * thread-safe.
 */
public final class PerKeyQueue<K, T extends PerKeyQueue.Item<K>> {
  private final TreeMap<Long, T> ready = new TreeMap<>();

  /** The items of each key in their order; the first one is ready or taken. */
  private final Map<K, Deque<T>> byKey = new HashMap<>();

  private long readyBytes;

  /** An item of the queue. */
  public interface Item<K> {
    K key();

    /**
     * The place of the item among all items; every added item has a higher one than the items
     * before it.
     */
    long sequence();

    /** The bytes that the item adds to {@link PerKeyQueue#readyBytes}. */
    long bytes();
  }

  /** Adds an item at the end of the queue. */
  public void add(T item) {
    Deque<T> ofKey = byKey.computeIfAbsent(item.key(), key -> new ArrayDeque<>(1));
    ofKey.addLast(item);
    if (ofKey.size() == 1) {
      putBack(item);
    }
  }

  /** Returns the items of a key, in their order. */
  public List<T> ofKey(K key) {
    Deque<T> ofKey = byKey.get(key);
    return ofKey == null ? List.of() : List.copyOf(ofKey);
  }

  /** Returns the oldest ready item, or null. */
  public @Nullable T peek() {
    return ready.isEmpty() ? null : ready.firstEntry().getValue();
  }

  /** Takes the oldest ready item; returns null if no item is ready. */
  public @Nullable T take() {
    Map.Entry<Long, T> first = ready.pollFirstEntry();
    if (first == null) {
      return null;
    }
    readyBytes -= first.getValue().bytes();
    return first.getValue();
  }

  /** Makes a taken item ready again, at its old place. */
  public void putBack(T item) {
    ready.put(item.sequence(), item);
    readyBytes += item.bytes();
  }

  /**
   * Removes an item, whether it waits, is ready or was taken. If it was the first of its key, the
   * next one becomes ready.
   *
   * @return false if the item was not in the queue
   */
  public boolean remove(T item) {
    Deque<T> ofKey = byKey.get(item.key());
    if (ofKey == null) {
      return false;
    }
    boolean wasFirst = item.equals(ofKey.peekFirst());
    if (!ofKey.remove(item)) {
      return false;
    }
    if (wasFirst) {
      follow(item, ofKey);
    }
    return true;
  }

  private void follow(T removed, Deque<T> ofKey) {
    if (ready.remove(removed.sequence()) != null) {
      readyBytes -= removed.bytes();
    }
    T next = ofKey.peekFirst();
    if (next == null) {
      byKey.remove(removed.key());
    } else {
      putBack(next);
    }
  }

  /** Returns the number of ready items. */
  public int readyCount() {
    return ready.size();
  }

  /** Returns the bytes of the ready items. */
  public long readyBytes() {
    return readyBytes;
  }
}
