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
  private final Map<JobKey, Deque<PendingSubmission>> behind = new HashMap<>();
  private long readyBytes;

  /** Adds a job at the end. */
  void add(PendingSubmission pending) {
    Deque<PendingSubmission> line = behind.get(pending.key);
    if (line == null) {
      behind.put(pending.key, new ArrayDeque<>(0));
      putBack(pending);
    } else {
      line.addLast(pending);
    }
  }

  /** Makes a job that was taken ready again, at its old place. */
  void putBack(PendingSubmission pending) {
    ready.put(pending.sequence, pending);
    readyBytes += pending.bytes;
  }

  /** Forgets a job, wherever it is, and lets the next one of its key go. */
  void settle(PendingSubmission pending) {
    Deque<PendingSubmission> line = behind.get(pending.key);
    if (line == null || line.remove(pending)) {
      return;
    }
    if (ready.remove(pending.sequence) != null) {
      readyBytes -= pending.bytes;
    }
    PendingSubmission next = line.pollFirst();
    if (next == null) {
      behind.remove(pending.key);
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
