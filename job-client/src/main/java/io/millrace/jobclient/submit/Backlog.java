package io.millrace.jobclient.submit;

import io.millrace.common.model.Job;
import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Every job without an answer, and what becomes of it when a request ends. It sends nothing and
 * completes nothing itself: it returns what there is to send and to tell. Thread-safe.
 *
 * <p>With a keeper, jobs that no tracker answers go to the outbox instead of failing. Of a key that
 * the outbox holds, nothing is here but what was read from it: whatever is kept takes along all of
 * its key, and what comes later is kept at once.
 */
final class Backlog {
  /** What a request and its transaction cost beside their jobs is a small part of so many. */
  private static final int BULK = 64;

  private final SubmitBounds bounds;
  private final SubmissionIds ids;
  private final Clock clock;
  private final Deadlines open;
  private final @Nullable Keeping keeping;
  private final SubmitQueue queue = new SubmitQueue();
  private long nextSequence;
  private int requestsInFlight;
  private int failuresInARow;
  private boolean paused;

  /** Whether there has been no tracker for so long that what comes is kept at once. */
  private boolean trackersGone;

  private boolean closed;

  /**
   * What keeps, and who hears of each job that it is kept, or why not.
   *
   * @param told called under no lock
   */
  record Keeping(Keeper keeper, BiConsumer<PendingSubmission, @Nullable RuntimeException> told) {
    private void keep(PendingSubmission pending) {
      keeper.keep(
          new ToKeep(pending.key, pending.submission, failure -> told.accept(pending, failure)));
    }
  }

  /**
   * Makes an empty one.
   *
   * @param keeping null means that what no tracker answers fails
   */
  Backlog(
      SubmitBounds bounds,
      SubmissionIds ids,
      Clock clock,
      Deadlines open,
      @Nullable Keeping keeping) {
    this.bounds = bounds;
    this.clock = clock;
    this.ids = ids;
    this.open = open;
    this.keeping = keeping;
  }

  /**
   * Adds a job that has room, or keeps it.
   *
   * @throws IllegalStateException if closed
   */
  synchronized PendingSubmission add(Job job, long bytes, Executor teller, Duration timeout) {
    checkOpen();
    PendingSubmission pending = mint(job, bytes, teller, open.after(timeout));
    if (keeping != null && mustKeep(keeping, pending.key)) {
      keeping.keep(pending);
    } else {
      queue.add(pending);
      open.add(pending);
    }
    return pending;
  }

  /**
   * Keeps a job, behind those of its key.
   *
   * @throws IllegalStateException if closed
   */
  synchronized PendingSubmission addKept(Job job, long bytes, Executor teller) {
    checkOpen();
    PendingSubmission pending = mint(job, bytes, teller, Deadlines.NEVER);
    keepAll(queue.ofKey(pending.key));
    if (keeping != null) {
      keeping.keep(pending);
    }
    return pending;
  }

  /** What a schedule plans begins with its submit, however long that takes to arrive. */
  private PendingSubmission mint(Job job, long bytes, Executor teller, long deadline) {
    Instant submittedAt = job.schedule().isRecurring() ? clock.now() : null;
    JobSubmission submission = new JobSubmission(ids.next(), job, submittedAt);
    return new PendingSubmission(nextSequence++, submission, bytes, teller, deadline);
  }

  /**
   * Adds what was read from the outbox: of each key one at a time, in its order.
   *
   * @throws IllegalStateException if closed
   */
  synchronized PendingSubmission addFromOutbox(JobSubmission submission, long bytes) {
    checkOpen();
    PendingSubmission pending = PendingSubmission.fromOutbox(nextSequence++, submission, bytes);
    queue.add(pending);
    open.add(pending);
    return pending;
  }

  /** Forgets a job; what is answered to a request under way is passed over. */
  synchronized void withdraw(PendingSubmission pending) {
    boolean unused = forget(pending);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
  }

  private boolean mustKeep(Keeping known, JobKey key) {
    return trackersGone || known.keeper().holds(key);
  }

  /**
   * Keeps a request that is no submit, if it must be kept now.
   *
   * @return null if it is kept; otherwise complete when the jobs of its key that are here have
   *     ended
   */
  synchronized @Nullable CompletableFuture<Void> keepOrWait(ToKeep request) {
    if (keeping != null && mustKeep(keeping, request.key())) {
      keeping.keeper().keep(request);
      return null;
    }
    CompletableFuture<?>[] ends =
        queue.ofKey(request.key()).stream()
            .map(pending -> pending.ended)
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(ends);
  }

  /** Keeps a request that is no submit, behind the jobs of its key that are here. */
  synchronized void keep(Keeper keeper, ToKeep request) {
    keepAll(queue.ofKey(request.key()));
    keeper.keep(request);
  }

  private void keepAll(List<PendingSubmission> kept) {
    for (PendingSubmission pending : kept) {
      if (keeping != null && !pending.fromOutbox && forget(pending)) {
        keeping.keep(pending);
      }
    }
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

  /** A large batch gains little by waiting for the request under way; a small one does. */
  private boolean mayPass() {
    return requestsInFlight == 0 || (requestsInFlight < bounds.requestsInFlight() && hasBulk());
  }

  /** Whether so many jobs are ready that a request of them gains little by more. */
  synchronized boolean hasBulk() {
    return queue.fills(Math.min(BULK, bounds.jobsPerRequest()), bounds.bytesPerRequest());
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
    for (PendingSubmission pending : batch) {
      pending.requestBound = batch.size() / 2;
      putBack(pending);
    }
  }

  /** Of what is in the outbox, only a fault of the job itself is final. */
  private void refuse(List<PendingSubmission> batch, RpcException failure, Aftermath aftermath) {
    for (PendingSubmission pending : batch) {
      if (pending.fromOutbox && failure.code() != ErrorCode.BAD_REQUEST) {
        aftermath.putOff(pending);
      } else if (forget(pending)) {
        aftermath.settled.add(Settlement.unanswered(pending, "the request was refused"));
      }
    }
  }

  /** No tracker has been there for a while: keeps every job, and from now on what comes. */
  synchronized void trackersAreGone() {
    if (keeping != null) {
      trackersGone = true;
      keepAll(inOrder());
    }
  }

  /** A tracker is there again. */
  synchronized void trackerIsThere() {
    trackersGone = false;
  }

  /** Ends every job, because trackers refuse this client. What is in the outbox stays there. */
  synchronized List<Settlement> refuseAll(RpcException refusal) {
    List<Settlement> settled = new ArrayList<>();
    for (PendingSubmission pending : inOrder()) {
      if (!pending.fromOutbox && forget(pending)) {
        pending.lastFailure = refusal;
        settled.add(Settlement.unanswered(pending, "the trackers refuse this client"));
      }
    }
    return settled;
  }

  private List<PendingSubmission> inOrder() {
    List<PendingSubmission> all = new ArrayList<>(open.all());
    all.sort(Comparator.comparingLong(pending -> pending.sequence));
    return all;
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
      if (keeping != null) {
        keepAll(queue.ofKey(pending.key));
      } else if (forget(pending)) {
        settled.add(expired(pending));
      }
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

  /** Takes no further job; returns those still open that are not in the outbox. */
  synchronized List<PendingSubmission> close() {
    closed = true;
    return open.all().stream().filter(pending -> !pending.fromOutbox).toList();
  }

  /** Ends every job, or keeps it. */
  synchronized List<Settlement> abandon() {
    List<Settlement> settled = new ArrayList<>();
    keepAll(inOrder());
    for (PendingSubmission pending : inOrder()) {
      if (forget(pending) && !pending.fromOutbox) {
        settled.add(Settlement.unanswered(pending, "the client was closed"));
      }
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
