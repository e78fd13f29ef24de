package io.millrace.common.outbox;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The keys, sizes and times of the entries, in memory. Thread-safe, with another lock than the
 * file, so that a query never waits for a write.
 */
final class EntryIndex {
  private record Stored(String key, long bytes, long storedAt) {}

  private final TreeMap<Long, Stored> entries = new TreeMap<>();
  private final Map<String, SortedSet<Long>> byKey = new HashMap<>();
  private long bytes;
  private long lastSequence;

  /** Replaces all entries by these. */
  synchronized void reset(List<Outbox.Entry> found) {
    entries.clear();
    byKey.clear();
    bytes = 0;
    add(found);
  }

  synchronized void add(List<Outbox.Entry> added) {
    for (Outbox.Entry entry : added) {
      long entryBytes = bytesOf(entry.key(), entry.body());
      entries.put(entry.sequence(), new Stored(entry.key(), entryBytes, entry.storedAt()));
      byKey.computeIfAbsent(entry.key(), key -> new TreeSet<>()).add(entry.sequence());
      bytes += entryBytes;
      lastSequence = Math.max(lastSequence, entry.sequence());
    }
  }

  synchronized void remove(Collection<Long> sequences) {
    for (Long sequence : sequences) {
      Stored stored = entries.remove(sequence);
      if (stored != null) {
        bytes -= stored.bytes();
        byKey.computeIfPresent(
            stored.key(),
            (key, of) -> {
              of.remove(sequence);
              return of.isEmpty() ? null : of;
            });
      }
    }
  }

  /** The highest sequence that this index has ever held. */
  synchronized long lastSequence() {
    return lastSequence;
  }

  /** The oldest sequences within the limits; always the first one, even if it has more bytes. */
  synchronized List<Long> oldest(int maxEntries, long maxBytes) {
    List<Long> oldest = new ArrayList<>();
    long room = maxBytes;
    for (Map.Entry<Long, Stored> entry : entries.entrySet()) {
      room -= entry.getValue().bytes();
      if (oldest.size() >= maxEntries || (room < 0 && !oldest.isEmpty())) {
        break;
      }
      oldest.add(entry.getKey());
    }
    return oldest;
  }

  /** Sequences of the entries stored before this instant, in epoch milliseconds. */
  synchronized List<Long> storedBefore(long instant) {
    return entries.entrySet().stream()
        .filter(entry -> entry.getValue().storedAt() < instant)
        .map(Map.Entry::getKey)
        .toList();
  }

  synchronized List<Long> ofKey(String key) {
    return List.copyOf(byKey.getOrDefault(key, new TreeSet<>()));
  }

  synchronized boolean hasKey(String key) {
    return byKey.containsKey(key);
  }

  /** Each key once. */
  synchronized List<String> keys() {
    return List.copyOf(byKey.keySet());
  }

  /** Those of the sequences that the index holds, each once. */
  synchronized List<Long> known(Collection<Long> sequences) {
    return sequences.stream().distinct().filter(entries::containsKey).toList();
  }

  synchronized int size() {
    return entries.size();
  }

  synchronized long bytes() {
    return bytes;
  }

  static long bytesOf(String key, byte[] body) {
    return (long) key.getBytes(StandardCharsets.UTF_8).length + body.length;
  }
}
