package io.millrace.jobclient.internal.outbox;

import io.millrace.jobclient.internal.request.PerKeyQueue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records which requests the outbox holds, by key, and which entries may be sent: one at a time of
 * each key, oldest first, and a bounded number in total. A key is held from the moment a request
 * for it is to be saved until its last entry has left the disk. In memory only. Thread-safe.
 */
final class HeldRequests {
  static final int MAX_UNDER_WAY = 1_000;
  static final long MAX_BYTES_UNDER_WAY = 4 << 20;

  private final Map<String, Integer> countByKey = new HashMap<>();

  /** Entries on the disk. */
  private final Map<Long, Stored> stored = new HashMap<>();

  /** Entries without an answer. */
  private final PerKeyQueue<String, Stored> unanswered = new PerKeyQueue<>();

  /** The bytes of each entry that was taken and has no answer; zero until the entry is read. */
  private final Map<Long, Long> underWay = new HashMap<>();

  private long bytesUnderWay;

  private record Stored(long sequence, String key) implements PerKeyQueue.Item<String> {
    /** Returns zero: the size is not known before the entry is read. */
    @Override
    public long bytes() {
      return 0;
    }
  }

  /** Records that a request for this key is held from now on. */
  synchronized void hold(String key) {
    countByKey.merge(key, 1, Integer::sum);
  }

  /** Records that a request for this key is no longer held. */
  synchronized void release(String key) {
    countByKey.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
  }

  synchronized boolean holds(String key) {
    return countByKey.containsKey(key);
  }

  /** Returns whether no request is held. */
  synchronized boolean isEmpty() {
    return countByKey.isEmpty();
  }

  /**
   * Records that a held request was written as an entry. It is newer than all other entries of its
   * key.
   */
  synchronized void stored(String key, long sequence) {
    Stored entry = new Stored(sequence, key);
    stored.put(sequence, entry);
    unanswered.add(entry);
  }

  /** Records an entry that was found on the disk, unless it is known already. */
  synchronized void found(String key, long sequence) {
    if (!stored.containsKey(sequence)) {
      hold(key);
      stored(key, sequence);
    }
  }

  /**
   * Takes the oldest entry that may be sent; it is under way from now on. Returns null if none may
   * be sent.
   */
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

  /** Records the size of an entry under way that was read. */
  synchronized void read(long sequence, long bytes) {
    if (underWay.replace(sequence, bytes) != null) {
      bytesUnderWay += bytes;
    }
  }

  /** Puts a taken entry back into the queue; it is no longer under way. */
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
   * Records that an entry no longer waits for an answer; the next entry of its key may be sent.
   *
   * @return false if the entry did not wait for an answer
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

  /**
   * Records that an entry has left the disk.
   *
   * @return whether the entry waited for an answer
   */
  synchronized boolean removed(long sequence) {
    boolean unanswered = answered(sequence);
    Stored entry = stored.remove(sequence);
    if (entry != null) {
      release(entry.key());
    }
    return unanswered;
  }
}
