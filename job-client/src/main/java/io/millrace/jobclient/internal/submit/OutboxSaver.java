package io.millrace.jobclient.internal.submit;

import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.outbox.OutboxRequest;
import io.millrace.jobclient.internal.request.JobKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Hands requests that no tracker answers over to the outbox. No other class does so. While the
 * outbox holds a key, the only open jobs of the key are those read from the outbox: all other open
 * jobs of the key are saved together, and later requests are saved at once.
 *
 * <p>Thread-safe. Open jobs are removed and handed over in one step under the lock of the {@link
 * OpenSubmissions}, so that the outbox receives the requests of a key in their order.
 */
public final class OutboxSaver {
  private final OpenSubmissions open;
  private final JobOutbox outbox;
  private final SubmitNotifier notifier;

  /** Whether no tracker has been connected for a while, so that new requests are saved at once. */
  private boolean trackersGone;

  OutboxSaver(OpenSubmissions open, JobOutbox outbox, SubmitNotifier notifier) {
    this.open = open;
    this.outbox = outbox;
    this.notifier = notifier;
  }

  /**
   * Saves a new job if it must be saved now: because the outbox holds its key, or because no
   * tracker is connected. Returns whether it did; if not, the caller sends the job. Called under
   * the lock.
   */
  boolean saveIfHeld(PendingSubmission pending) {
    boolean held = mustSave(pending.key());
    if (held) {
      save(List.of(pending));
    }
    return held;
  }

  private boolean mustSave(JobKey key) {
    return trackersGone || outbox.holds(key);
  }

  /** Saves the open jobs of a new job's key, and then the new job. Called under the lock. */
  void saveBehindItsKey(PendingSubmission pending) {
    save(open.removeKey(pending.key()));
    save(List.of(pending));
  }

  /** Saves the jobs of a key. Called under the lock. */
  void saveKey(JobKey key) {
    save(open.removeKey(key));
  }

  /** Saves every job. */
  void saveAll() {
    synchronized (open) {
      save(open.removeAll());
    }
    write();
  }

  private void save(List<PendingSubmission> removed) {
    for (PendingSubmission pending : removed) {
      OutboxRequest request = OutboxRequest.submit(pending.key(), pending.submission);
      request.saved().whenComplete((done, failure) -> notifier.notifySaved(pending, failure));
      outbox.add(request);
    }
  }

  /** Begins to write the requests that were handed over. Never called under the lock. */
  void write() {
    outbox.writeAdded();
  }

  /**
   * Saves a request other than a submit if it must be saved now.
   *
   * @return null if the request is handed over to the outbox; otherwise a future that completes
   *     when the submits of its key under way have ended
   */
  public @Nullable CompletableFuture<Void> saveOrWait(OutboxRequest request) {
    synchronized (open) {
      if (!mustSave(request.key())) {
        return open.whenEnded(request.key());
      }
      outbox.add(request);
    }
    write();
    return null;
  }

  /** Saves the submits of a key under way, and behind them a request other than a submit. */
  public void save(OutboxRequest request) {
    synchronized (open) {
      saveKey(request.key());
      outbox.add(request);
    }
    write();
  }

  /** Saves every job, and saves new requests from now on. */
  void trackersAreGone() {
    synchronized (open) {
      trackersGone = true;
      save(open.removeAll());
    }
    write();
  }

  /** Records that a tracker is connected again. */
  void trackerIsBack() {
    synchronized (open) {
      trackersGone = false;
    }
  }
}
