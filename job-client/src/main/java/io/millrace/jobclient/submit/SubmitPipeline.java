package io.millrace.jobclient.submit;

import io.millrace.common.model.Job;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.common.rpc.RpcException;
import io.millrace.jobclient.outbox.JobOutbox;
import io.millrace.jobclient.request.FailureFactory;
import io.millrace.jobclient.request.JobKey;
import io.millrace.jobclient.request.RequestContext;
import io.millrace.jobclient.request.SubmissionIds;
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
 * Takes jobs: checks each, waits until it has room, and then has it sent, or saved if there is an
 * outbox that must take it. An idle client adds no wait. Thread-safe.
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
  private final @Nullable SubmitSaver saver;
  private final SubmitExpiry expiry;

  /**
   * Makes a pipeline that has nothing to send.
   *
   * @param ids of everything that this client submits
   * @param outbox takes jobs that no tracker answers; null if they shall fail
   * @param measures notified of each job that is submitted
   * @param failures makes what the futures of jobs fail with
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
    this.saver = outbox == null ? null : new SubmitSaver(open, outbox, notifier);
    this.expiry = new SubmitExpiry(context, open, saver, notifier, sender);
  }

  /**
   * Takes a job and sends it as soon as possible. Blocks while the bound of jobs in flight is
   * reached, at most for the request timeout.
   *
   * @param notifyOn completes the future; the job has left the bound just before. If it runs in the
   *     calling thread, nothing that blocks may depend on the future
   * @return completed with the tracker's answer, with SAVED_LOCALLY when the outbox has the job, or
   *     with a failure
   * @throws NullPointerException if the job, its key or one of its parameters is null
   * @throws IllegalStateException if the pipeline is closed
   */
  public CompletableFuture<SubmitResult> submit(Job job, Executor notifyOn) {
    CompletableFuture<SubmitResult> answer = gather(job, notifyOn);
    sendGathered();
    return answer;
  }

  /**
   * As {@link #submit}, but the job may wait for others that follow: until {@link #sendGathered},
   * or until so many have gathered that a request gains little by more of them.
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
      String why = "the trackers refuse this client: " + refusal.getMessage();
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

  /** Null when the job has room, and otherwise why it has none. */
  private @Nullable String awaitRoom(long bytes) {
    InFlightBound.Turn turn = inFlight.enter(bytes);
    if (!turn.hasEntered()) {
      // The jobs gathered hold the room that this job waits for.
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

  /** The request timeout is over, as for a job that had room and got no answer. */
  private CompletableFuture<SubmitResult> saveWithoutRoom(
      SubmitSaver known, Job job, long bytes, Executor notifyOn) {
    inFlight.enterAtOnce(bytes);
    PendingSubmission pending;
    synchronized (open) {
      pending = newPending(job, bytes, notifyOn, PendingSubmission.NEVER);
      known.saveBehindItsKey(pending);
    }
    known.write();
    return pending.future;
  }

  /** The schedule of a recurring job counts from its submit, however long that takes to arrive. */
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

  /** Sends the jobs gathered, as soon as possible. */
  public void sendGathered() {
    failIfRefused();
    if (saver != null) {
      saver.write();
    }
    sender.sendReady();
  }

  /**
   * Sends a job that was read from the outbox until it is answered, however long that takes. To
   * cancel the future withdraws the job, and nothing of it is sent any more.
   *
   * @return completed with the tracker's answer, or failed if no tracker takes a job of its kind
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

  /** Saves other requests in the order of the jobs; null without an outbox. */
  public @Nullable SubmitSaver saver() {
    return saver;
  }

  /** Sends at once the jobs that wait: called when a tracker is connected. */
  public void connected() {
    if (saver != null) {
      saver.trackerIsBack();
    }
    sender.resume();
  }

  /** Saves all jobs, and new ones until {@link #connected}. */
  public void trackersAreGone() {
    if (saver == null) {
      return;
    }
    saver.trackersAreGone();
    if (context.link().session() != null) {
      saver.trackerIsBack();
    }
  }

  /** Fails all jobs: called when trackers refuse this client. Saved ones stay saved. */
  public void failIfRefused() {
    RpcException refusal = context.link().refusal();
    if (refusal != null) {
      List<PendingSubmission> refused = open.removeAll();
      refused.forEach(pending -> pending.lastFailure = refusal);
      fail(refused, "the trackers refuse this client");
    }
  }

  private void fail(List<PendingSubmission> removed, String why) {
    removed.forEach(pending -> pending.settleUnanswered(why));
    notifier.notify(removed);
  }

  /**
   * Takes no further job, waits for those under way, and saves or fails the rest. Idempotent.
   *
   * @param patience how long to wait at most; zero waits for nothing
   */
  public void close(Duration patience) {
    CompletableFuture<?>[] left =
        open.close().stream().map(pending -> pending.future).toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(left).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      // The future of each job tells its outcome; nothing is lost here.
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
