package io.millrace.jobclient.submit;

import io.millrace.common.model.Job;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.outbox.OutboxException;
import io.millrace.common.outbox.OutboxFullException;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.common.protocol.SubmitReply;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import io.millrace.jobclient.JobSubmitException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends jobs in batches: what gathers while a request is under way goes with the next one, and a
 * large batch does not wait for it. An idle client adds no wait. Thread-safe.
 */
public final class SubmitPipeline {
  private final SubmitBounds bounds;
  private final TrackerLink link;
  private final Clock clock;
  private final Timer timer;
  private final Executor executor;
  private final BackOff backOff;
  private final @Nullable Keeper keeper;
  private final SubmitMeasures measures;
  private final InFlightBound room;
  private final Backlog backlog;

  /**
   * Whether this thread is completing a future. A submit from there must not wait for room: the
   * jobs that hold it may be waiting for this very thread.
   */
  private final ThreadLocal<Boolean> telling = ThreadLocal.withInitial(() -> false);

  /**
   * Makes a pipeline that has nothing to send.
   *
   * @param executor runs what the timer hands over; never code of the application, which could keep
   *     it from sending
   * @param ids of everything this client submits
   * @param keeper takes jobs that no tracker answers; null if they are to fail
   * @param measures told of each job that is submitted
   */
  public SubmitPipeline(
      SubmitBounds bounds,
      TrackerLink link,
      Clock clock,
      Timer timer,
      Executor executor,
      RandomGenerator random,
      SubmissionIds ids,
      @Nullable Keeper keeper,
      SubmitMeasures measures) {
    this.measures = measures;
    this.bounds = bounds;
    this.link = link;
    this.clock = clock;
    this.timer = timer;
    this.executor = executor;
    this.backOff = new BackOff(random);
    this.room = new InFlightBound(bounds.jobsInFlight(), bounds.bytesInFlight());
    this.keeper = keeper;
    Deadlines deadlines = new Deadlines(clock, timer, executor, this::expire);
    Backlog.Keeping keeping = keeper == null ? null : new Backlog.Keeping(keeper, this::kept);
    this.backlog = new Backlog(bounds, ids, clock, deadlines, keeping);
  }

  /**
   * Takes a job and sends it as soon as may be. Blocks while the bound of jobs in flight is
   * reached, at most for the request timeout.
   *
   * @param teller completes the future; the job has left the bound just before. If it runs in the
   *     calling thread, nothing that blocks may depend on the future
   * @return completed with the tracker's answer, with SAVED_LOCALLY when the keeper has the job, or
   *     with a {@link JobSubmitException}
   * @throws IllegalStateException if the pipeline is closed
   */
  public CompletableFuture<SubmitResult> submit(Job job, Executor teller) {
    CompletableFuture<SubmitResult> answer = gather(job, teller);
    sendGathered();
    return answer;
  }

  /**
   * As {@link #submit}, but the job may wait for others that follow: until {@link #sendGathered},
   * or until so many have gathered that a request gains little by more of them.
   */
  public CompletableFuture<SubmitResult> gather(Job job, Executor teller) {
    long calledNanos = clock.nanoTime();
    CompletableFuture<SubmitResult> answer = take(job, teller, calledNanos);
    measures.submitted(answer, calledNanos);
    return answer;
  }

  private CompletableFuture<SubmitResult> take(Job job, Executor teller, long calledNanos) {
    long bytes = EncodedSize.of(job);
    SubmitResult rejection = Sendable.rejection(job, bytes, bounds.bytesPerJob());
    if (rejection != null) {
      return CompletableFuture.completedFuture(rejection);
    }
    RpcException refusal = link.refusal();
    if (refusal != null) {
      return CompletableFuture.failedFuture(refused(job, refusal));
    }
    JobSubmitException noRoom = enterRoom(job, bytes);
    if (noRoom != null) {
      return keeper == null || Thread.currentThread().isInterrupted()
          ? CompletableFuture.failedFuture(noRoom)
          : keepWithoutRoom(job, bytes, teller);
    }
    Duration waited = Duration.ofNanos(clock.nanoTime() - calledNanos);
    PendingSubmission pending = add(job, bytes, teller, bounds.requestTimeout().minus(waited));
    if (backlog.hasBulk()) {
      sendGathered();
    }
    return pending.future;
  }

  /** How many jobs were taken and have no answer yet. */
  public int inFlight() {
    return room.jobs();
  }

  /** Sends what has gathered, as soon as may be. */
  public void sendGathered() {
    failIfRefused();
    flush();
    sendReady();
  }

  /** Its time is over, as that of a job that had room and no answer. */
  private CompletableFuture<SubmitResult> keepWithoutRoom(Job job, long bytes, Executor teller) {
    InFlightBound.Turn unused = room.enterAtOnce(bytes);
    boolean added = false;
    try {
      PendingSubmission pending = backlog.addKept(job, bytes, teller);
      added = true;
      flush();
      return pending.future;
    } finally {
      if (!added) {
        room.leave(bytes);
      }
    }
  }

  private JobSubmitException refused(Job job, RpcException refusal) {
    String message =
        "job %s was not sent: the trackers refuse this client: %s"
            .formatted(JobKey.of(job), refusal.getMessage());
    return new JobSubmitException(message, false, refusal);
  }

  /**
   * Sends what was read from the outbox until it is answered, however long that takes. Whoever
   * cancels the future takes it back, and nothing of it is sent any more.
   *
   * @return completed with the tracker's answer, or with a {@link JobSubmitException} if it is of a
   *     kind that no tracker takes
   * @throws IllegalStateException if the pipeline is closed
   */
  public CompletableFuture<SubmitResult> deliver(JobSubmission submission) {
    PendingSubmission pending = backlog.addFromOutbox(submission, EncodedSize.of(submission.job()));
    pending.future.whenComplete(
        (result, failure) -> {
          if (pending.future.isCancelled()) {
            backlog.withdraw(pending);
          }
        });
    sendReady();
    return pending.future;
  }

  /**
   * Keeps a request that is no submit, if it must be kept now: because of others of its key, or
   * because no tracker is there.
   *
   * @return null if it is kept; otherwise complete when submits of its key under way have ended
   */
  @Nullable CompletableFuture<Void> keepOrWait(ToKeep request) {
    CompletableFuture<Void> ended = backlog.keepOrWait(request);
    flush();
    return ended;
  }

  /** Keeps a request that is no submit, behind submits of its key under way. */
  void keep(Keeper known, ToKeep request) {
    backlog.keep(known, request);
    known.flush();
  }

  private void kept(PendingSubmission pending, @Nullable RuntimeException failure) {
    if (failure == null) {
      tell(List.of(Settlement.kept(pending)));
    } else {
      pending.lastFailure = failure;
      pending.maybeKept =
          failure instanceof OutboxException && !(failure instanceof OutboxFullException);
      tell(List.of(Settlement.unanswered(pending, "no tracker has answered, and it is not kept")));
    }
  }

  private void flush() {
    if (keeper != null) {
      keeper.flush();
    }
  }

  private @Nullable JobSubmitException enterRoom(Job job, long bytes) {
    InFlightBound.Turn turn = telling.get() ? room.enterAtOnce(bytes) : room.enter(bytes);
    if (!turn.entered().isDone()) {
      // What has gathered holds the room that this job waits for.
      sendGathered();
    }
    String why;
    try {
      turn.entered().get(bounds.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (TimeoutException e) {
      why = bounds.jobsInFlight() + " jobs in flight left no room for " + bounds.requestTimeout();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      why = "the thread was interrupted while it waited for room";
    } catch (ExecutionException e) {
      throw new IllegalStateException("a turn never fails", e);
    }
    if (!turn.giveUp()) {
      room.leave(bytes);
    }
    String message = "job %s was not sent: %s; %s";
    return new JobSubmitException(
        message.formatted(JobKey.of(job), why, link.describe()), false, null);
  }

  private PendingSubmission add(Job job, long bytes, Executor teller, Duration timeout) {
    boolean added = false;
    try {
      PendingSubmission pending = backlog.add(job, bytes, teller, timeout);
      added = true;
      return pending;
    } finally {
      if (!added) {
        room.leave(bytes);
      }
    }
  }

  /** Sends at once what waits: called when a tracker is connected. */
  public void connected() {
    backlog.trackerIsThere();
    sendOn();
  }

  /** Keeps what waits, and what comes, until {@link #connected}. */
  public void trackersAreGone() {
    backlog.trackersAreGone();
    if (link.session() != null) {
      backlog.trackerIsThere();
    }
    flush();
  }

  /** Fails what waits: called when trackers refuse this client. */
  public void failIfRefused() {
    RpcException refusal = link.refusal();
    if (refusal != null) {
      tell(backlog.refuseAll(refusal));
    }
  }

  private void sendOn() {
    backlog.resume();
    sendReady();
  }

  private void sendReady() {
    while (true) {
      Session session = link.session();
      List<PendingSubmission> batch = session == null ? List.of() : backlog.take();
      if (session == null || batch.isEmpty()) {
        return;
      }
      send(session, batch);
    }
  }

  private void send(Session session, List<PendingSubmission> batch) {
    SubmitRequest request = requestOf(batch);
    CompletableFuture.completedFuture(session)
        .thenCompose(live -> live.call(request, bounds.attemptTimeout()))
        .thenApply(reply -> resultsOf(reply, batch, session))
        .whenComplete(
            (results, failure) -> {
              if (failure == null) {
                follow(backlog.answered(batch, results));
              } else {
                follow(backlog.notAnswered(batch, RpcFailures.of(failure)));
              }
            });
  }

  private SubmitRequest requestOf(List<PendingSubmission> batch) {
    List<JobSubmission> submissions = batch.stream().map(pending -> pending.submission).toList();
    boolean isTimed = submissions.stream().anyMatch(each -> each.submittedAt() != null);
    return new SubmitRequest(submissions, isTimed ? clock.now() : null);
  }

  private static List<SubmitResult> resultsOf(
      SubmitReply reply, List<PendingSubmission> batch, Session session) {
    if (reply.results().size() != batch.size()) {
      String message =
          "the tracker at %s gave %d results for %d jobs"
              .formatted(session.peer().address(), reply.results().size(), batch.size());
      throw new RpcException(ErrorCode.INTERNAL, message);
    }
    return reply.results();
  }

  private void follow(Backlog.Aftermath aftermath) {
    if (aftermath.failuresInARow > 0) {
      timer.schedule(backOff.delay(aftermath.failuresInARow), executor, this::sendOn);
    }
    if (!aftermath.putOff.isEmpty()) {
      timer.schedule(
          backOff.delay(aftermath.timesPutOff()), executor, () -> sendAgain(aftermath.putOff));
    }
    tell(aftermath.settled);
    sendReady();
  }

  /** Only these waited: the tracker may well have been able to store other jobs. */
  private void sendAgain(List<PendingSubmission> putOff) {
    backlog.putBack(putOff);
    sendReady();
  }

  private void expire() {
    tell(backlog.expire());
    flush();
    sendReady();
  }

  private void tell(List<Settlement> settled) {
    for (Settlement settlement : settled) {
      settlement.pending().ended.complete(null);
      try {
        settlement.pending().teller.execute(() -> tell(settlement));
      } catch (RejectedExecutionException closed) {
        tell(settlement);
      }
    }
  }

  private void tell(Settlement settlement) {
    if (!settlement.pending().fromOutbox) {
      room.leave(settlement.pending().bytes);
    }
    boolean nested = telling.get();
    telling.set(true);
    try {
      settlement.tell(link);
    } finally {
      telling.set(nested);
    }
  }

  /**
   * Takes no further job, waits for those under way, and keeps or fails what is left. Idempotent.
   *
   * @param patience how long to wait at most; zero waits for nothing
   */
  public void close(Duration patience) {
    CompletableFuture<?>[] left =
        backlog.close().stream().map(pending -> pending.future).toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(left).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      // Whoever waits for a job learns its own outcome; nothing is lost here.
    }
    tell(backlog.abandon());
    flush();
  }
}
