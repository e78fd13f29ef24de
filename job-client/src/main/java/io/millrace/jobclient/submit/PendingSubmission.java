package io.millrace.jobclient.submit;

import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.request.JobKey;
import io.millrace.jobclient.request.PerKeyQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One job on its way to a tracker. Until it is settled, what may change is guarded by the {@link
 * OpenSubmissions} that hold it; afterwards nothing changes.
 */
final class PendingSubmission implements PerKeyQueue.Item<JobKey> {
  /** The deadline of a job that may take any time. */
  static final long NEVER = Long.MAX_VALUE;

  private final long sequence;
  private final JobKey key;
  private final long bytes;

  final JobSubmission submission;

  /** On the time line of the {@link SubmitSender}. */
  final long deadlineNanos;

  /**
   * Whether it was read from the outbox: it has no deadline, and stays there until it is answered.
   */
  final boolean fromOutbox;

  /** Completes the future, and so runs the code of the application that depends on it. */
  final Executor notifyOn;

  final CompletableFuture<SubmitResult> future = new CompletableFuture<>();

  /** Complete when it is settled, before the application is notified. */
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Requests that carried it. */
  int sent;

  /** Of these, requests that are known not to have stored it. */
  int refused;

  /** Times it was set aside for a while. */
  int putOff;

  /** Whether it may be in the outbox although the write failed. */
  boolean maybeSaved;

  /** The last answer that asked the client to try again later. */
  @Nullable SubmitResult tryLater;

  @Nullable Throwable lastFailure;

  /** Most jobs of the next request that carries it; shrinks to find the job that breaks one. */
  int requestBound = Integer.MAX_VALUE;

  private @Nullable SubmitResult result;
  private String whyUnanswered = "";

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

  /** One that the application has just submitted. */
  static PendingSubmission of(
      long sequence, JobSubmission submission, long bytes, Executor notifyOn, long deadlineNanos) {
    return new PendingSubmission(sequence, submission, bytes, notifyOn, deadlineNanos, false);
  }

  /** One that was read from the outbox. */
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

  /** Whether a request that carried it may have stored it, or may yet. */
  boolean mayBeStored() {
    return sent > refused || maybeSaved;
  }

  /** Ends it with an answer. */
  void settle(SubmitResult answer) {
    result = answer;
  }

  /** Ends it without an answer. */
  void settleUnanswered(String why) {
    whyUnanswered = why;
  }

  /** The answer with which it ended, or null if there was none. */
  @Nullable SubmitResult result() {
    return result;
  }

  /** Why it ended without an answer. */
  String whyUnanswered() {
    return whyUnanswered;
  }
}
