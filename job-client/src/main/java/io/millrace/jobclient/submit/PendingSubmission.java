package io.millrace.jobclient.submit;

import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobSubmission;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One job on its way to a tracker. What may change is guarded by the lock of the {@link Backlog}
 * that holds it.
 */
final class PendingSubmission {
  /** Its place among all jobs of the client. */
  final long sequence;

  final JobSubmission submission;
  final JobKey key;
  final long bytes;

  /** On the time line of {@link Deadlines}. */
  final long deadlineNanos;

  /**
   * Whether it was read from the outbox: it has no deadline, and stays there until it is answered.
   */
  final boolean fromOutbox;

  /** Runs the completion of the future, and so whatever the application has hung on it. */
  final Executor teller;

  final CompletableFuture<SubmitResult> future = new CompletableFuture<>();

  /** Complete when its way has ended, before the application is told. */
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Requests that carried it. */
  int sent;

  /** Of these, requests that are known not to have stored it. */
  int refused;

  /** Times it was set aside for a while. */
  int putOff;

  /** Whether it may be in the outbox although that could not be told for sure. */
  boolean maybeKept;

  /** The last answer that asked for patience. */
  @Nullable SubmitResult patience;

  @Nullable Throwable lastFailure;

  /** Most jobs of the next request that carries it; shrinks to find the job that breaks one. */
  int requestBound = Integer.MAX_VALUE;

  PendingSubmission(
      long sequence, JobSubmission submission, long bytes, Executor teller, long deadlineNanos) {
    this(sequence, submission, bytes, teller, deadlineNanos, false);
  }

  private PendingSubmission(
      long sequence,
      JobSubmission submission,
      long bytes,
      Executor teller,
      long deadlineNanos,
      boolean fromOutbox) {
    this.sequence = sequence;
    this.submission = submission;
    this.key = JobKey.of(submission.job());
    this.bytes = bytes;
    this.teller = teller;
    this.deadlineNanos = deadlineNanos;
    this.fromOutbox = fromOutbox;
  }

  /** One that was read from the outbox. */
  static PendingSubmission fromOutbox(long sequence, JobSubmission submission, long bytes) {
    return new PendingSubmission(sequence, submission, bytes, Runnable::run, Deadlines.NEVER, true);
  }

  /** Whether a request that carried it may have stored it, or may yet. */
  boolean mayBeStored() {
    return sent > refused || maybeKept;
  }
}
