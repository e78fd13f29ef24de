package io.millrace.jobclient.submit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Jobs that wait to be sent, oldest first. Of each key at most one is out at a time, from the
 * moment it becomes ready until {@link #settle}; later ones of the key wait behind it. Not
 * thread-safe.
 */
final class SubmitQueue {
  private final TreeMap<Long, PendingSubmission> ready = new TreeMap<>();

  /** The jobs of each key in their order; the first is the one that is ready or out. */
  private final Map<JobKey, Deque<PendingSubmission>> lines = new HashMap<>();

  private long readyBytes;

  /** Adds a job at the end. */
  void add(PendingSubmission pending) {
    Deque<PendingSubmission> line = lines.computeIfAbsent(pending.key, key -> new ArrayDeque<>(1));
    line.addLast(pending);
    if (line.size() == 1) {
      putBack(pending);
    }
  }

  /** The jobs of a key, in their order. */
  List<PendingSubmission> ofKey(JobKey key) {
    Deque<PendingSubmission> line = lines.get(key);
    return line == null ? List.of() : List.copyOf(line);
  }

  /** Makes a job that was taken ready again, at its old place. */
  void putBack(PendingSubmission pending) {
    ready.put(pending.sequence, pending);
    readyBytes += pending.bytes;
  }

  /** Forgets a job, wherever it is, and lets the next one of its key go. */
  void settle(PendingSubmission pending) {
    Deque<PendingSubmission> line = lines.get(pending.key);
    if (line == null) {
      return;
    }
    boolean wasFirst = line.peekFirst() == pending;
    line.remove(pending);
    if (!wasFirst) {
      return;
    }
    if (ready.remove(pending.sequence) != null) {
      readyBytes -= pending.bytes;
    }
    PendingSubmission next = line.peekFirst();
    if (next == null) {
      lines.remove(pending.key);
    } else {
      putBack(next);
    }
  }

  /** Whether a request of this size could be filled. */
  boolean fills(int jobs, long bytes) {
    return ready.size() >= jobs || readyBytes >= bytes;
  }

  boolean isEmpty() {
    return ready.isEmpty();
  }

  /** Takes the oldest jobs for one request: at least one, if any is ready. */
  List<PendingSubmission> take(int maxJobs, long maxBytes) {
    List<PendingSubmission> batch = new ArrayList<>();
    int bound = maxJobs;
    long bytes = 0;
    while (!ready.isEmpty()) {
      PendingSubmission next = ready.firstEntry().getValue();
      bound = Math.min(bound, next.requestBound);
      boolean fits = batch.size() < bound && bytes + next.bytes <= maxBytes;
      if (!batch.isEmpty() && !fits) {
        break;
      }
      ready.pollFirstEntry();
      readyBytes -= next.bytes;
      bytes += next.bytes;
      batch.add(next);
    }
    return batch;
  }
}
