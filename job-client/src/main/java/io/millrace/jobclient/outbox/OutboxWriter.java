package io.millrace.jobclient.outbox;

import io.millrace.common.codec.CodecException;
import io.millrace.common.outbox.Outbox;
import io.millrace.common.outbox.OutboxFullException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests to the disk and removes finished entries. Requests that gather while the disk is
 * busy are written together; finished entries are removed together. {@link #add} and {@link
 * #finish} are thread-safe and do not block. One thread at a time calls the methods that use the
 * disk.
 */
final class OutboxWriter {
  private final Outbox outbox;
  private final HeldRequests held;
  private final Deque<OutboxRequest> unwritten = new ArrayDeque<>();
  private final Set<Long> finished = new LinkedHashSet<>();

  /** Whether a write has failed, so that it is not known which entries are on the disk. */
  private boolean uncertain;

  OutboxWriter(Outbox outbox, HeldRequests held) {
    this.outbox = outbox;
    this.held = held;
  }

  /**
   * The result of writing a request.
   *
   * @param failure null if the request is on the disk
   */
  record Written(OutboxRequest request, @Nullable RuntimeException failure) {
    /** Notifies the owner of the request. Never called under a lock. */
    void complete() {
      if (failure == null) {
        request.saved().complete(null);
      } else {
        request.saved().completeExceptionally(failure);
      }
    }
  }

  /** Adds a request, whose key is held from now on. */
  void add(OutboxRequest request) {
    synchronized (unwritten) {
      held.hold(keyOf(request));
      unwritten.addLast(request);
    }
  }

  boolean hasUnwritten() {
    synchronized (unwritten) {
      return !unwritten.isEmpty();
    }
  }

  /** Removes an entry from the disk with the next pass. */
  void finish(long sequence) {
    synchronized (finished) {
      finished.add(sequence);
    }
  }

  /** Records that an entry has left the disk. */
  void forget(long sequence) {
    synchronized (finished) {
      finished.remove(sequence);
    }
    held.removed(sequence);
  }

  /** Reads which entries are on the disk. */
  void readEntries() {
    for (String key : outbox.keys()) {
      for (Outbox.Entry entry : outbox.ofKey(key)) {
        held.found(key, entry.sequence());
      }
    }
  }

  /**
   * Returns whether the last write has failed. The next {@link #write} reads which entries it
   * wrote.
   */
  boolean isUncertain() {
    return uncertain;
  }

  /** Writes the added requests and returns the result of each. */
  List<Written> write() {
    List<Written> results = new ArrayList<>();
    List<OutboxRequest> requests = new ArrayList<>();
    List<Outbox.NewEntry> entries = new ArrayList<>();
    for (OutboxRequest request : takeUnwritten()) {
      try {
        byte[] body = SavedRequest.encode(request);
        entries.add(new Outbox.NewEntry(keyOf(request), body));
        requests.add(request);
      } catch (CodecException unwritable) {
        results.add(failed(request, unwritable));
      }
    }
    write(requests, entries, results);
    return results;
  }

  private List<OutboxRequest> takeUnwritten() {
    synchronized (unwritten) {
      List<OutboxRequest> taken = List.copyOf(unwritten);
      unwritten.clear();
      return taken;
    }
  }

  /** Writes all requests together if they fit; otherwise writes each one that fits. */
  private void write(
      List<OutboxRequest> requests, List<Outbox.NewEntry> entries, List<Written> results) {
    try {
      if (uncertain) {
        readEntries();
        uncertain = false;
      }
      List<Long> sequences = outbox.addAll(entries);
      for (int i = 0; i < requests.size(); i++) {
        held.stored(keyOf(requests.get(i)), sequences.get(i));
        results.add(new Written(requests.get(i), null));
      }
    } catch (OutboxFullException full) {
      if (requests.size() == 1) {
        results.add(failed(requests.get(0), full));
        return;
      }
      for (int i = 0; i < requests.size(); i++) {
        write(List.of(requests.get(i)), List.of(entries.get(i)), results);
      }
    } catch (RuntimeException failure) {
      uncertain = true;
      requests.forEach(request -> results.add(failed(request, failure)));
    }
  }

  private Written failed(OutboxRequest request, RuntimeException failure) {
    held.release(keyOf(request));
    return new Written(request, failure);
  }

  private static String keyOf(OutboxRequest request) {
    return request.key().toString();
  }

  /** Removes the finished entries and returns whether there were any. */
  boolean removeFinished() {
    List<Long> removed;
    synchronized (finished) {
      removed = List.copyOf(finished);
    }
    if (removed.isEmpty()) {
      return false;
    }
    outbox.remove(removed);
    removed.forEach(this::forget);
    return true;
  }
}
