package io.millrace.jobclient.outbox;

import io.millrace.jobclient.request.PerKeyQueue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which requests the outbox holds, by key, and which entries may be sent: of each key one at a
 * time, oldest first, and a bounded number in all. A key is held from the moment a request of it is
 * to be saved until its last entry has left the disk. In memory only. Thread-safe.
 */
final class HeldRequests {
  static final int MAX_UNDER_WAY = 1_000;
  static final long MAX_BYTES_UNDER_WAY = 4 << 20;

  private final Map<String, Integer> countByKey = new HashMap<>();

  /** Entries on the disk. */
  private final Map<Long, Stored> stored = new HashMap<>();

  /** Entries without an answer. */
  private final PerKeyQueue<String, Stored> unanswered = new PerKeyQueue<>();

  /** Bytes of the entries that were taken and have no answer; zero until they are read. */
  private final Map<Long, Long> underWay = new HashMap<>();

  private long bytesUnderWay;

  private record Stored(long sequence, String key) implements PerKeyQueue.Item<String> {
    /** Not known before the entry is read. */
    @Override
    public long bytes() {
      return 0;
    }
  }

  /** A request of this key is held from now on. */
  synchronized void hold(String key) {
    countByKey.merge(key, 1, Integer::sum);
  }

  /** A request of this key is no longer held. */
  synchronized void release(String key) {
    countByKey.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
  }

  synchronized boolean holds(String key) {
    return countByKey.containsKey(key);
  }

  /** Whether nothing is held. */
  synchronized boolean isEmpty() {
    return countByKey.isEmpty();
  }

  /** A request that is held has become an entry, newer than all others of its key. */
  synchronized void stored(String key, long sequence) {
    Stored entry = new Stored(sequence, key);
    stored.put(sequence, entry);
    unanswered.add(entry);
  }

  /** An entry was found on the disk; it may be known already. */
  synchronized void found(String key, long sequence) {
    if (!stored.containsKey(sequence)) {
      hold(key);
      stored(key, sequence);
    }
  }

  /** The oldest entry that may be sent, which is under way from now on; null if none may. */
  synchronized @Nullable Long take() {
    if (underWay.size() >= MAX_UNDER_WAY || bytesUnderWay >= MAX_BYTES_UNDER_WAY) {
      return null;
    }
    Stored next = unanswered.take();
    if (next == null) {
      return null;
    }
    underWay.put(next.sequence(), 0L);
    return next.sequence();
  }

  /** An entry under way was read. */
  synchronized void read(long sequence, long bytes) {
    if (underWay.replace(sequence, bytes) != null) {
      bytesUnderWay += bytes;
    }
  }

  /** An entry that was taken is not under way after all. */
  synchronized void putBack(long sequence) {
    Stored entry = stored.get(sequence);
    if (entry != null && leave(sequence)) {
      unanswered.putBack(entry);
    }
  }

  synchronized boolean isUnderWay(long sequence) {
    return underWay.containsKey(sequence);
  }

  /**
   * An entry no longer waits for an answer; the next one of its key may be sent.
   *
   * @return false if it did not wait
   */
  synchronized boolean answered(long sequence) {
    boolean unused = leave(sequence);
    Stored entry = stored.get(sequence);
    return entry != null && unanswered.remove(entry);
  }

  private boolean leave(long sequence) {
    Long bytes = underWay.remove(sequence);
    bytesUnderWay -= bytes == null ? 0 : bytes;
    return bytes != null;
  }

  /** An entry has left the disk. */
  synchronized void removed(long sequence) {
    boolean unused = answered(sequence);
    Stored entry = stored.remove(sequence);
    if (entry != null) {
      release(entry.key());
    }
  }
}
