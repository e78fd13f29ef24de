package io.millrace.jobclient.request;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Items that wait to be sent, in the order of their sequence. Of each key at most one is ready or
 * out at a time; it stays so until {@link #remove}, and later items of the key wait behind it. Not
 * thread-safe.
 */
public final class PerKeyQueue<K, T extends PerKeyQueue.Item<K>> {
  private final TreeMap<Long, T> ready = new TreeMap<>();

  /** The items of each key in their order; the first is the one that is ready or out. */
  private final Map<K, Deque<T>> byKey = new HashMap<>();

  private long readyBytes;

  /** What can be queued. */
  public interface Item<K> {
    K key();

    /** Its place among all items; rises with each that is added. */
    long sequence();

    /** What it adds to {@link PerKeyQueue#readyBytes}. */
    long bytes();
  }

  /** Adds an item at the end. */
  public void add(T item) {
    Deque<T> ofKey = byKey.computeIfAbsent(item.key(), key -> new ArrayDeque<>(1));
    ofKey.addLast(item);
    if (ofKey.size() == 1) {
      putBack(item);
    }
  }

  /** The items of a key, in their order. */
  public List<T> ofKey(K key) {
    Deque<T> ofKey = byKey.get(key);
    return ofKey == null ? List.of() : List.copyOf(ofKey);
  }

  /** The oldest item that is ready, or null. */
  public @Nullable T peek() {
    return ready.isEmpty() ? null : ready.firstEntry().getValue();
  }

  /** Takes the oldest item that is ready, which is out from now on; null if none is. */
  public @Nullable T take() {
    Map.Entry<Long, T> first = ready.pollFirstEntry();
    if (first == null) {
      return null;
    }
    readyBytes -= first.getValue().bytes();
    return first.getValue();
  }

  /** Makes an item that was taken ready again, at its old place. */
  public void putBack(T item) {
    ready.put(item.sequence(), item);
    readyBytes += item.bytes();
  }

  /**
   * Removes an item, whether it waits, is ready or is out; the next one of its key becomes ready.
   *
   * @return false if it was not here
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

  /** How many items are ready. */
  public int readyCount() {
    return ready.size();
  }

  /** Bytes of the items that are ready. */
  public long readyBytes() {
    return readyBytes;
  }
}
