package io.millrace.jobclient.submit;

import io.millrace.common.model.Job;
import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.common.rpc.RpcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Every job without an answer, and what becomes of it when a request ends. It sends nothing and
 * completes nothing itself: it returns what there is to send and to tell. Thread-safe.
 */
final class Backlog {
  private final SubmitBounds bounds;
  private final SubmissionIds ids;
  private final Deadlines open;
  private final SubmitQueue queue = new SubmitQueue();
  private long nextSequence;
  private int requestsInFlight;
  private int failuresInARow;
  private boolean paused;
  private boolean closed;

  Backlog(SubmitBounds bounds, SubmissionIds ids, Deadlines open) {
    this.bounds = bounds;
    this.ids = ids;
    this.open = open;
  }

  /**
   * Adds a job that has room.
   *
   * @throws IllegalStateException if closed
   */
  synchronized PendingSubmission add(Job job, long bytes, Executor teller, Duration timeout) {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    JobSubmission submission = new JobSubmission(ids.next(), job);
    long deadline = open.after(timeout);
    PendingSubmission pending =
        new PendingSubmission(nextSequence++, submission, bytes, teller, deadline);
    queue.add(pending);
    open.add(pending);
    return pending;
  }

  /**
   * The jobs of the next request; empty if there is nothing to send, or nothing may be sent now.
   */
  synchronized List<PendingSubmission> take() {
    if (paused || queue.isEmpty() || !mayPass()) {
      return List.of();
    }
    List<PendingSubmission> batch = queue.take(bounds.jobsPerRequest(), bounds.bytesPerRequest());
    batch.forEach(pending -> pending.sent++);
    requestsInFlight++;
    return batch;
  }

  /** A full batch gains nothing by waiting for the request under way; a part of one does. */
  private boolean mayPass() {
    return requestsInFlight == 0
        || (requestsInFlight < bounds.requestsInFlight()
            && queue.fills(bounds.jobsPerRequest(), bounds.bytesPerRequest()));
  }

  /** A request was answered, with one result per job. */
  synchronized Aftermath answered(List<PendingSubmission> batch, List<SubmitResult> results) {
    requestsInFlight--;
    failuresInARow = 0;
    Aftermath aftermath = new Aftermath();
    for (int i = 0; i < batch.size(); i++) {
      PendingSubmission pending = batch.get(i);
      SubmitResult result = results.get(i);
      if (result.reason() == RejectReason.UNAVAILABLE) {
        pending.refused++;
        pending.patience = result;
        aftermath.putOff(pending);
      } else if (forget(pending)) {
        aftermath.settled.add(Settlement.answered(pending, result));
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
      batch.forEach(this::putBack);
    } else {
      refuse(batch, aftermath);
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
    for (PendingSubmission pending : batch) {
      pending.requestBound = batch.size() / 2;
      putBack(pending);
    }
  }

  private void refuse(List<PendingSubmission> batch, Aftermath aftermath) {
    for (PendingSubmission pending : batch) {
      if (forget(pending)) {
        aftermath.settled.add(Settlement.unanswered(pending, "the request was refused"));
      }
    }
  }

  /** Jobs that were put off may be sent again. */
  synchronized void putBack(List<PendingSubmission> putOff) {
    putOff.forEach(this::putBack);
  }

  private void putBack(PendingSubmission pending) {
    if (open.contains(pending)) {
      queue.putBack(pending);
    }
  }

  /** Ends the pause that a failed request began. */
  synchronized void resume() {
    paused = false;
  }

  /** Ends the jobs whose time is over, and sets the timeout for the next. */
  synchronized List<Settlement> expire() {
    List<Settlement> settled = new ArrayList<>();
    for (PendingSubmission pending : open.due()) {
      forget(pending);
      settled.add(expired(pending));
    }
    open.arm();
    return settled;
  }

  private Settlement expired(PendingSubmission pending) {
    if (pending.patience != null && !pending.mayBeStored()) {
      return Settlement.answered(pending, pending.patience);
    }
    return Settlement.unanswered(pending, "no answer within " + bounds.requestTimeout());
  }

  /** Takes no further job; returns those still open. */
  synchronized List<PendingSubmission> close() {
    closed = true;
    return open.all();
  }

  /** Ends every job. */
  synchronized List<Settlement> abandon() {
    List<Settlement> settled = new ArrayList<>();
    for (PendingSubmission pending : open.all()) {
      forget(pending);
      settled.add(Settlement.unanswered(pending, "the client was closed"));
    }
    open.disarm();
    return settled;
  }

  /** Ends the life of a job here; false if it had ended before, by its deadline or a close. */
  private boolean forget(PendingSubmission pending) {
    if (!open.remove(pending)) {
      return false;
    }
    queue.settle(pending);
    return true;
  }

  /** What is to be done after a request has ended. */
  static final class Aftermath {
    /** Jobs whose way is over. */
    final List<Settlement> settled = new ArrayList<>();

    /** Jobs to be put back after a while. */
    final List<PendingSubmission> putOff = new ArrayList<>();

    /** If above zero, nothing is sent until {@link Backlog#resume}. */
    int failuresInARow;

    void putOff(PendingSubmission pending) {
      pending.putOff++;
      putOff.add(pending);
    }

    /** How often the most patient of the jobs put off has been put off. */
    int timesPutOff() {
      return putOff.stream().mapToInt(pending -> pending.putOff).max().orElse(0);
    }
  }
}
