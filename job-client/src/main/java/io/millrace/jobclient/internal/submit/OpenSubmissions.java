package io.millrace.jobclient.internal.submit;

import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.PerKeyQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Holds every job without an answer, and decides what follows when a request ends. It does not
 * send, save or notify: it returns the jobs for which the caller does that. Thread-safe; a caller
 * that holds the lock of this object can combine several calls into one atomic step.
 */
final class OpenSubmissions {
  /**
   * The number of ready jobs from which a request is worth sending at once: the fixed cost of a
   * request and its transaction is then small compared with that of its jobs.
   */
  private static final int BULK = 64;

  private static final Comparator<PendingSubmission> EARLIEST_DEADLINE_FIRST =
      Comparator.<PendingSubmission>comparingLong(pending -> pending.deadlineNanos)
          .thenComparingLong(PendingSubmission::sequence);

  private final SubmitBounds bounds;
  private final PerKeyQueue<JobKey, PendingSubmission> queue = new PerKeyQueue<>();
  private final TreeSet<PendingSubmission> open = new TreeSet<>(EARLIEST_DEADLINE_FIRST);
  private long lastSequence;
  private int requestsInFlight;
  private int failuresInARow;
  private boolean paused;
  private boolean closed;

  OpenSubmissions(SubmitBounds bounds) {
    this.bounds = bounds;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Returns the sequence number for the next job. */
  synchronized long nextSequence() {
    return ++lastSequence;
  }

  /**
   * Adds a job. Returns whether so many jobs are ready that waiting for more has little benefit.
   */
  synchronized boolean add(PendingSubmission pending) {
    queue.add(pending);
    open.add(pending);
    return hasBulk();
  }

  /** Returns a future that completes when the jobs of this key that are open now have ended. */
  synchronized CompletableFuture<Void> whenEnded(JobKey key) {
    return CompletableFuture.allOf(
        queue.ofKey(key).stream().map(pending -> pending.ended).toArray(CompletableFuture[]::new));
  }

  /**
   * Takes the jobs of the next request. Empty if there is no job to send, or if no request may be
   * sent now.
   */
  synchronized List<PendingSubmission> takeBatch() {
    List<PendingSubmission> batch = new ArrayList<>();
    int maxJobs = bounds.jobsPerRequest();
    long bytes = 0;
    PendingSubmission next = mayTake() ? queue.peek() : null;
    while (next != null) {
      maxJobs = Math.min(maxJobs, next.requestBound);
      boolean fits = batch.size() < maxJobs && bytes + next.bytes() <= bounds.bytesPerRequest();
      if (!fits && !batch.isEmpty()) {
        break;
      }
      queue.take();
      next.sent++;
      bytes += next.bytes();
      batch.add(next);
      next = queue.peek();
    }
    requestsInFlight += batch.isEmpty() ? 0 : 1;
    return batch;
  }

  /**
   * Returns whether a request may be sent now. A small batch waits for the request under way,
   * because more jobs may join it; for a large batch that has little benefit.
   */
  private boolean mayTake() {
    return !paused
        && (requestsInFlight == 0 || (requestsInFlight < bounds.requestsInFlight() && hasBulk()));
  }

  private boolean hasBulk() {
    return queue.readyCount() >= Math.min(BULK, bounds.jobsPerRequest())
        || queue.readyBytes() >= bounds.bytesPerRequest();
  }

  /** Applies the answer to a request, which has one result per job. */
  synchronized Aftermath answered(List<PendingSubmission> batch, List<SubmitResult> results) {
    requestsInFlight--;
    failuresInARow = 0;
    Aftermath aftermath = new Aftermath();
    for (int i = 0; i < batch.size(); i++) {
      PendingSubmission pending = batch.get(i);
      SubmitResult result = results.get(i);
      RejectReason reason = result.reason();
      if (reason != null && reason.mayPass()) {
        pending.refused++;
        pending.tryLater = result;
        aftermath.putOff(pending);
      } else if (remove(pending)) {
        pending.result = result;
        aftermath.settled.add(pending);
      }
    }
    return aftermath;
  }

  /** Applies the failure of a request: no answer, or an error as the answer. */
  synchronized Aftermath notAnswered(List<PendingSubmission> batch, RpcException failure) {
    requestsInFlight--;
    Aftermath aftermath = new Aftermath();
    for (PendingSubmission pending : batch) {
      pending.lastFailure = failure;
      pending.refused += failure.isRetryable() ? 0 : 1;
    }
    if (oneMayBreakAll(failure) && batch.size() > 1) {
      halve(batch);
    } else if (oneMayBreakAll(failure) && failure.isRetryable()) {
      // This job is alone in its batch; it must not delay the others.
      batch.forEach(aftermath::putOff);
    } else if (failure.isRetryable()) {
      putBack(batch);
    } else {
      refuse(batch, failure, aftermath);
    }
    boolean over = closed && open.isEmpty();
    if (failure.isRetryable() && !paused && !over) {
      paused = true;
      aftermath.failuresInARow = ++failuresInARow;
    }
    return aftermath;
  }

  private static boolean oneMayBreakAll(RpcException failure) {
    return failure.code() == ErrorCode.BAD_REQUEST || failure.code() == ErrorCode.INTERNAL;
  }

  private void halve(List<PendingSubmission> batch) {
    batch.forEach(pending -> pending.requestBound = batch.size() / 2);
    putBack(batch);
  }

  /**
   * Ends jobs whose request was refused. For a job from the outbox, only a fault of the job itself
   * is final.
   */
  private void refuse(List<PendingSubmission> batch, RpcException failure, Aftermath aftermath) {
    for (PendingSubmission pending : batch) {
      if (pending.fromOutbox && failure.code() != ErrorCode.BAD_REQUEST) {
        aftermath.putOff(pending);
      } else if (remove(pending)) {
        pending.whyUnanswered = "the request was refused";
        aftermath.settled.add(pending);
      }
    }
  }

  /** Makes taken jobs ready to be sent again, unless they have ended in the meantime. */
  synchronized void putBack(List<PendingSubmission> taken) {
    taken.stream().filter(open::contains).forEach(queue::putBack);
  }

  /** Ends the pause that a failed request began. */
  synchronized void resume() {
    paused = false;
  }

  /** Removes and returns the jobs of a key, in their order, except those from the outbox. */
  synchronized List<PendingSubmission> removeKey(JobKey key) {
    return removeUnsaved(queue.ofKey(key));
  }

  /** Removes and returns all jobs, in their order, except those from the outbox. */
  synchronized List<PendingSubmission> removeAll() {
    List<PendingSubmission> all = new ArrayList<>(open);
    all.sort(Comparator.comparingLong(PendingSubmission::sequence));
    return removeUnsaved(all);
  }

  private List<PendingSubmission> removeUnsaved(List<PendingSubmission> candidates) {
    return candidates.stream().filter(pending -> !pending.fromOutbox && remove(pending)).toList();
  }

  /** Returns the jobs whose deadline has passed; they stay until they are removed. */
  synchronized List<PendingSubmission> due(long nowNanos) {
    return open.stream().takeWhile(pending -> pending.deadlineNanos <= nowNanos).toList();
  }

  /**
   * Returns the earliest deadline of all jobs; {@link PendingSubmission#NEVER} if there is no job.
   */
  synchronized long nextDeadlineNanos() {
    return open.isEmpty() ? PendingSubmission.NEVER : open.first().deadlineNanos;
  }

  /** Closes this object for new jobs, and returns the open jobs except those from the outbox. */
  synchronized List<PendingSubmission> close() {
    closed = true;
    return open.stream().filter(pending -> !pending.fromOutbox).toList();
  }

  /**
   * Removes a job, so that an answer to it is ignored. Returns false if the job had ended before.
   */
  synchronized boolean remove(PendingSubmission pending) {
    if (!open.remove(pending)) {
      return false;
    }
    boolean unused = queue.remove(pending);
    return true;
  }

  /** Removes every job. Entries in the outbox stay there. */
  synchronized void clear() {
    List.copyOf(open).forEach(this::remove);
  }

  /** The steps that follow the end of a request. */
  static final class Aftermath {
    /** Jobs that have ended. */
    final List<PendingSubmission> settled = new ArrayList<>();

    /** Jobs to put back after a delay. */
    final List<PendingSubmission> putOff = new ArrayList<>();

    /** If above zero, no request is sent until {@link OpenSubmissions#resume}. */
    int failuresInARow;

    private void putOff(PendingSubmission pending) {
      pending.putOff++;
      putOff.add(pending);
    }

    /** Returns how often the most delayed of these jobs was put off. */
    int timesPutOff() {
      return putOff.stream().mapToInt(pending -> pending.putOff).max().orElse(0);
    }
  }
}
