package io.millrace.internal.outbox;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The keys, sizes and times of the entries, in memory. Thread-safe, with another lock than the
 * file, so that a query never waits for a write.
 */
final class EntryIndex {
  private record Stored(String key, long bytes, long storedAt) {}

  private final TreeMap<Long, Stored> entries = new TreeMap<>();
  private long bytes;
  private long lastSequence;

  /** Replaces all entries by these. */
  synchronized void reset(List<Outbox.Entry> found) {
    entries.clear();
    bytes = 0;
    add(found);
  }

  synchronized void add(List<Outbox.Entry> added) {
    for (Outbox.Entry entry : added) {
      long entryBytes = bytesOf(entry.key(), entry.body());
      entries.put(entry.sequence(), new Stored(entry.key(), entryBytes, entry.storedAt()));
      bytes += entryBytes;
      lastSequence = Math.max(lastSequence, entry.sequence());
    }
  }

  synchronized void remove(Collection<Long> sequences) {
    for (Long sequence : sequences) {
      Stored stored = entries.remove(sequence);
      if (stored != null) {
        bytes -= stored.bytes();
      }
    }
  }

  /** The highest sequence that this index has ever held. */
  synchronized long lastSequence() {
    return lastSequence;
  }

  /** All sequences, rising. */
  synchronized List<Long> sequences() {
    return List.copyOf(entries.keySet());
  }

  /** Sequences of the entries stored before this instant, in epoch milliseconds. */
  synchronized List<Long> storedBefore(long instant) {
    return entries.entrySet().stream()
        .filter(entry -> entry.getValue().storedAt() < instant)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The key of each entry, by its sequence, rising. */
  synchronized SortedMap<Long, String> keys() {
    SortedMap<Long, String> keys = new TreeMap<>();
    entries.forEach((sequence, stored) -> keys.put(sequence, stored.key()));
    return keys;
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
