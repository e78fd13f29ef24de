package io.millrace.jobclient.submit;

import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.rpc.RpcException;
import io.millrace.jobclient.request.JobKey;
import io.millrace.jobclient.request.PerKeyQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Every job without an answer, and what follows when a request ends. It sends, saves and notifies
 * nothing: it returns the jobs to send, to save or to notify of. Thread-safe; a caller that holds
 * its lock makes several calls one step.
 */
final class OpenSubmissions {
  /** What a request and its transaction cost beside their jobs is a small part of so many. */
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

  /** The sequence of the next job that is added. */
  synchronized long nextSequence() {
    return ++lastSequence;
  }

  /** Adds a job; returns whether so many are ready that a request gains little by more. */
  synchronized boolean add(PendingSubmission pending) {
    queue.add(pending);
    open.add(pending);
    return hasBulk();
  }

  /** Complete when the jobs of this key that are open now have ended. */
  synchronized CompletableFuture<Void> whenEnded(JobKey key) {
    return CompletableFuture.allOf(
        queue.ofKey(key).stream().map(pending -> pending.ended).toArray(CompletableFuture[]::new));
  }

  /** The jobs of the next request; empty if there is nothing to send, or nothing may be sent. */
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

  /** A large batch gains little by waiting for the request under way; a small one does. */
  private boolean mayTake() {
    return !paused
        && (requestsInFlight == 0 || (requestsInFlight < bounds.requestsInFlight() && hasBulk()));
  }

  private boolean hasBulk() {
    return queue.readyCount() >= Math.min(BULK, bounds.jobsPerRequest())
        || queue.readyBytes() >= bounds.bytesPerRequest();
  }

  /** A request was answered, with one result per job. */
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
        pending.settle(result);
        aftermath.settled.add(pending);
      }
    }
    return aftermath;
  }

  /** A request got no answer, or an error for one. */
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
      // Alone, it must not hold up the others.
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

  /** Of a job in the outbox, only a fault of the job itself is final. */
  private void refuse(List<PendingSubmission> batch, RpcException failure, Aftermath aftermath) {
    for (PendingSubmission pending : batch) {
      if (pending.fromOutbox && failure.code() != ErrorCode.BAD_REQUEST) {
        aftermath.putOff(pending);
      } else if (remove(pending)) {
        pending.settleUnanswered("the request was refused");
        aftermath.settled.add(pending);
      }
    }
  }

  /** Jobs that were taken may be sent again, unless they have ended meanwhile. */
  synchronized void putBack(List<PendingSubmission> taken) {
    taken.stream().filter(open::contains).forEach(queue::putBack);
  }

  /** Ends the pause that a failed request began. */
  synchronized void resume() {
    paused = false;
  }

  /** Removes the jobs of a key, in their order, but those that are in the outbox. */
  synchronized List<PendingSubmission> removeKey(JobKey key) {
    return removeUnsaved(queue.ofKey(key));
  }

  /** Removes all jobs, in their order, but those that are in the outbox. */
  synchronized List<PendingSubmission> removeAll() {
    List<PendingSubmission> all = new ArrayList<>(open);
    all.sort(Comparator.comparingLong(PendingSubmission::sequence));
    return removeUnsaved(all);
  }

  private List<PendingSubmission> removeUnsaved(List<PendingSubmission> candidates) {
    return candidates.stream().filter(pending -> !pending.fromOutbox && remove(pending)).toList();
  }

  /** The jobs whose deadline has passed; they stay until they are removed. */
  synchronized List<PendingSubmission> due(long nowNanos) {
    return open.stream().takeWhile(pending -> pending.deadlineNanos <= nowNanos).toList();
  }

  /** The earliest deadline of all; {@link PendingSubmission#NEVER} if there is none. */
  synchronized long nextDeadlineNanos() {
    return open.isEmpty() ? PendingSubmission.NEVER : open.first().deadlineNanos;
  }

  /** Takes no further job; returns those still open that are not in the outbox. */
  synchronized List<PendingSubmission> close() {
    closed = true;
    return open.stream().filter(pending -> !pending.fromOutbox).toList();
  }

  /** Removes a job, so that an answer to it is ignored; false if it had ended before. */
  synchronized boolean remove(PendingSubmission pending) {
    if (!open.remove(pending)) {
      return false;
    }
    boolean unused = queue.remove(pending);
    return true;
  }

  /** Forgets every job. Those in the outbox stay there. */
  synchronized void clear() {
    List.copyOf(open).forEach(this::remove);
  }

  /** What follows when a request has ended. */
  static final class Aftermath {
    /** Jobs that have ended. */
    final List<PendingSubmission> settled = new ArrayList<>();

    /** Jobs to be put back after a while. */
    final List<PendingSubmission> putOff = new ArrayList<>();

    /** If above zero, nothing is sent until {@link OpenSubmissions#resume}. */
    int failuresInARow;

    private void putOff(PendingSubmission pending) {
      pending.putOff++;
      putOff.add(pending);
    }

    /** How often the job that was put off most often has been put off. */
    int timesPutOff() {
      return putOff.stream().mapToInt(pending -> pending.putOff).max().orElse(0);
    }
  }
}
