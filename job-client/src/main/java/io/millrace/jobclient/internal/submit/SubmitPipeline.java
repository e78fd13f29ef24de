package io.millrace.jobclient.internal.submit;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.request.FailureFactory;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.SubmissionIds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Accepts jobs: checks each job, waits until there is room for it, and then hands it over to be
 * sent, or saved if the outbox must take it. An idle client adds no delay. Thread-safe.
 */
public final class SubmitPipeline {
  private final RequestContext context;
  private final SubmitBounds bounds;
  private final SubmissionIds ids;
  private final InFlightBound inFlight;
  private final SubmitMeasures measures;
  private final FailureFactory failures;
  private final OpenSubmissions open;
  private final SubmitNotifier notifier;
  private final SubmitSender sender;
  private final @Nullable OutboxSaver saver;
  private final SubmitExpiry expiry;

  /**
   * Creates a pipeline without jobs.
   *
   * @param ids creates the submission ids of this client
   * @param outbox saves jobs that no tracker answers; null if such jobs fail
   * @param measures notified of each submitted job
   * @param failures creates the exceptions with which the futures of jobs fail
   */
  public SubmitPipeline(
      RequestContext context,
      SubmitBounds bounds,
      SubmissionIds ids,
      InFlightBound inFlight,
      @Nullable JobOutbox outbox,
      SubmitMeasures measures,
      FailureFactory failures) {
    this.context = context;
    this.bounds = bounds;
    this.ids = ids;
    this.inFlight = inFlight;
    this.measures = measures;
    this.failures = failures;
    this.open = new OpenSubmissions(bounds);
    this.notifier = new SubmitNotifier(inFlight, context.link(), failures);
    this.sender = new SubmitSender(context, open, notifier);
    this.saver = outbox == null ? null : new OutboxSaver(open, outbox, notifier);
    this.expiry = new SubmitExpiry(context, open, saver, notifier, sender);
  }

  /**
   * Accepts a job and sends it as soon as possible. Blocks while the bound of jobs in flight is
   * reached, at most for the request timeout.
   *
   * @param notifyOn completes the future; just before, the job stops counting as in flight. If this
   *     executor runs tasks in the calling thread, no blocking code may depend on the future
   * @return completed with the tracker's answer, with SAVED_LOCALLY when the job is in the outbox,
   *     or with a failure
   * @throws NullPointerException if the job, its key or one of its parameters is null
   * @throws IllegalStateException if the pipeline is closed
   */
  public CompletableFuture<SubmitResult> submit(Job job, Executor notifyOn) {
    CompletableFuture<SubmitResult> answer = gather(job, notifyOn);
    sendGathered();
    return answer;
  }

  /**
   * Accepts a job as {@link #submit} does, but lets it wait for others that follow: until {@link
   * #sendGathered}, or until so many jobs have gathered that waiting for more has little benefit.
   */
  public CompletableFuture<SubmitResult> gather(Job job, Executor notifyOn) {
    long calledNanos = context.clock().nanoTime();
    CompletableFuture<SubmitResult> answer = take(job, notifyOn, calledNanos);
    measures.submitted(answer, calledNanos);
    return answer;
  }

  private CompletableFuture<SubmitResult> take(Job job, Executor notifyOn, long calledNanos) {
    long bytes = EncodedSize.of(job);
    SubmitResult rejection = Sendable.rejection(job, bytes, bounds.bytesPerJob());
    if (rejection != null) {
      return CompletableFuture.completedFuture(rejection);
    }
    RpcException refusal = context.link().refusal();
    if (refusal != null) {
      String why = "the trackers refuse the connection of this client: " + refusal.getMessage();
      return CompletableFuture.failedFuture(notSent(job, why, refusal));
    }
    String whyNoRoom = awaitRoom(bytes);
    if (whyNoRoom == null) {
      Duration waited = Duration.ofNanos(context.clock().nanoTime() - calledNanos);
      return add(job, bytes, notifyOn, context.timeouts().request().minus(waited));
    }
    return saver == null || Thread.currentThread().isInterrupted()
        ? CompletableFuture.failedFuture(
            notSent(job, whyNoRoom + "; " + context.link().describe(), null))
        : saveWithoutRoom(saver, job, bytes, notifyOn);
  }

  private RuntimeException notSent(Job job, String why, @Nullable Throwable cause) {
    return failures.create("job %s was not sent: %s".formatted(JobKey.of(job), why), false, cause);
  }

  /**
   * Waits for room for a job. Returns null if there is room, and otherwise the reason why there is
   * none.
   */
  private @Nullable String awaitRoom(long bytes) {
    InFlightBound.Turn turn = inFlight.enter(bytes);
    if (!turn.hasEntered()) {
      // The gathered jobs occupy the room that this job waits for.
      sendGathered();
    }
    return turn.await(context.timeouts().request());
  }

  private CompletableFuture<SubmitResult> add(
      Job job, long bytes, Executor notifyOn, Duration patience) {
    PendingSubmission pending;
    boolean bulk = false;
    synchronized (open) {
      pending = newPending(job, bytes, notifyOn, expiry.deadlineAfter(patience));
      if (saver == null || !saver.saveIfHeld(pending)) {
        bulk = open.add(pending);
        expiry.watch(pending.deadlineNanos);
      }
    }
    if (bulk) {
      sendGathered();
    }
    return pending.future;
  }

  /**
   * Saves a job that found no room: its request timeout is over, as for a job that was sent and got
   * no answer.
   */
  private CompletableFuture<SubmitResult> saveWithoutRoom(
      OutboxSaver known, Job job, long bytes, Executor notifyOn) {
    inFlight.enterAtOnce(bytes);
    PendingSubmission pending;
    synchronized (open) {
      pending = newPending(job, bytes, notifyOn, PendingSubmission.NEVER);
      known.saveBehindItsKey(pending);
    }
    known.write();
    return pending.future;
  }

  /**
   * Creates the submission of a job. The schedule of a recurring job counts from its submit,
   * however late the submit arrives at a tracker.
   */
  private PendingSubmission newPending(Job job, long bytes, Executor notifyOn, long deadlineNanos) {
    if (open.isClosed()) {
      inFlight.leave(bytes);
      throw closed();
    }
    Instant submittedAt = job.schedule().isRecurring() ? context.clock().now() : null;
    JobSubmission submission = new JobSubmission(ids.next(), job, submittedAt);
    return PendingSubmission.of(open.nextSequence(), submission, bytes, notifyOn, deadlineNanos);
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the client is closed");
  }

  /** Sends the gathered jobs as soon as possible. */
  public void sendGathered() {
    failIfRefused();
    if (saver != null) {
      saver.write();
    }
    sender.sendReady();
  }

  /**
   * Sends a job from the outbox until it is answered, however long that takes. Cancelling the
   * future withdraws the job, which is not sent again.
   *
   * @return completed with the tracker's answer; fails if trackers reject the job's request itself
   *     as bad
   * @throws IllegalStateException if the pipeline is closed
   */
  public CompletableFuture<SubmitResult> sendSaved(JobSubmission submission) {
    long bytes = EncodedSize.of(submission.job());
    PendingSubmission pending;
    synchronized (open) {
      if (open.isClosed()) {
        throw closed();
      }
      pending = PendingSubmission.fromOutbox(open.nextSequence(), submission, bytes);
      boolean unused = open.add(pending);
    }
    pending.future.whenComplete(
        (result, failure) -> {
          if (pending.future.isCancelled()) {
            boolean unused = open.remove(pending);
          }
        });
    sender.sendReady();
    return pending.future;
  }

  /**
   * Returns the saver, which also saves other requests in their order among the jobs; null without
   * an outbox.
   */
  public @Nullable OutboxSaver saver() {
    return saver;
  }

  /** Sends the waiting jobs at once. Called when a tracker is connected. */
  public void connected() {
    if (saver != null) {
      saver.trackerIsBack();
    }
    sender.resume();
  }

  /**
   * Saves all jobs in the outbox, and new ones until {@link #connected}. Without an outbox does
   * nothing.
   */
  public void trackersAreGone() {
    if (saver == null) {
      return;
    }
    saver.trackersAreGone();
    if (context.link().session() != null) {
      saver.trackerIsBack();
    }
  }

  /** Fails all jobs if trackers refuse this client. Saved jobs stay saved. */
  public void failIfRefused() {
    RpcException refusal = context.link().refusal();
    if (refusal != null) {
      List<PendingSubmission> refused = open.removeAll();
      refused.forEach(pending -> pending.lastFailure = refusal);
      fail(refused, "the trackers refuse the connection of this client");
    }
  }

  private void fail(List<PendingSubmission> removed, String why) {
    removed.forEach(pending -> pending.whyUnanswered = why);
    notifier.notify(removed);
  }

  /**
   * Accepts no further jobs, waits for those under way, and saves or fails the rest. Idempotent.
   *
   * @param patience how long to wait at most; with zero the method does not wait
   */
  public void close(Duration patience) {
    CompletableFuture<?>[] left =
        open.close().stream().map(pending -> pending.future).toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(left).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      // The future of each job reports its outcome.
    }
    if (saver != null) {
      saver.saveAll();
    }
    fail(open.removeAll(), "the client was closed");
    synchronized (open) {
      open.clear();
      expiry.clear();
    }
  }
}
