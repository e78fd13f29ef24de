package io.millrace.jobclient.internal.submit;

import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.PerKeyQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One job on its way to a tracker. Until the job is settled, the lock of its {@link
 * OpenSubmissions} guards the mutable fields; afterwards no field changes.
 */
final class PendingSubmission implements PerKeyQueue.Item<JobKey> {
  /** The deadline of a job without a time limit. */
  static final long NEVER = Long.MAX_VALUE;

  private final long sequence;
  private final JobKey key;
  private final long bytes;

  final JobSubmission submission;

  /** The deadline in nanoseconds, on the time line of {@link SubmitExpiry}. */
  final long deadlineNanos;

  /**
   * Whether the job was read from the outbox. Such a job has no deadline, and its entry stays in
   * the outbox until it is answered.
   */
  final boolean fromOutbox;

  /**
   * The executor that completes the future, and thereby runs the code of the application that
   * depends on it.
   */
  final Executor notifyOn;

  final CompletableFuture<SubmitResult> future = new CompletableFuture<>();

  /** Completes when the job is settled, before the application is notified. */
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The number of requests that carried the job. */
  int sent;

  /** The number of these requests that certainly did not store the job. */
  int refused;

  /** How often the job was put off. */
  int putOff;

  /** Whether the job may be in the outbox although the write failed. */
  boolean maybeSaved;

  /** The last answer that asked the client to try again later. */
  @Nullable SubmitResult tryLater;

  @Nullable Throwable lastFailure;

  /**
   * The maximum number of jobs in the next request that carries this one. It shrinks to isolate a
   * job that makes requests fail.
   */
  int requestBound = Integer.MAX_VALUE;

  /** The answer of the settled job; null if there was none. */
  @Nullable SubmitResult result;

  /** Why the settled job has no answer. */
  String whyUnanswered = "";

  private PendingSubmission(
      long sequence,
      JobSubmission submission,
      long bytes,
      Executor notifyOn,
      long deadlineNanos,
      boolean fromOutbox) {
    this.sequence = sequence;
    this.submission = submission;
    this.key = JobKey.of(submission.job());
    this.bytes = bytes;
    this.notifyOn = notifyOn;
    this.deadlineNanos = deadlineNanos;
    this.fromOutbox = fromOutbox;
  }

  /** Creates a submission for a job that the application has just submitted. */
  static PendingSubmission of(
      long sequence, JobSubmission submission, long bytes, Executor notifyOn, long deadlineNanos) {
    return new PendingSubmission(sequence, submission, bytes, notifyOn, deadlineNanos, false);
  }

  /** Creates a submission for a job that was read from the outbox. */
  static PendingSubmission fromOutbox(long sequence, JobSubmission submission, long bytes) {
    return new PendingSubmission(sequence, submission, bytes, Runnable::run, NEVER, true);
  }

  @Override
  public JobKey key() {
    return key;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /**
   * Returns whether the job may be stored: a request that carried it may have stored it, or the
   * outbox may have it.
   */
  boolean mayBeStored() {
    return sent > refused || maybeSaved;
  }
}
