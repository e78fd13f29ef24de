package io.millrace.jobclient.internal.calls;

import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.api.TriggerResult;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobclient.internal.request.RequestContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Awaits the ends of one-shots and runs. Jobs that are awaited together are asked about together: a
 * request carries up to {@value OutcomeRequest#MAX_JOBS} of them, and the tracker holds it until
 * one has ended. Asks nothing while nothing is awaited. Thread-safe.
 */
public final class OutcomeCalls implements AutoCloseable {
  /** The most requests under way, so that they leave room for other requests on the connection. */
  private static final int MAX_REQUESTS = 16;

  /** The longest time for which a tracker holds a request. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  /** The pause before jobs are asked about again that the tracker answered at once. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /**
   * How often a tracker must not know a job before that is believed: a database with several nodes
   * may show a commit on one of them a moment later than on another.
   */
  private static final int TIMES_NOT_KNOWN = 2;

  private final RetryingCalls calls;
  private final TimedExecutor time;
  private final Predicate<JobHandle> isSavedLocally;
  private final Duration wait;
  private final Deque<Awaited> unasked = new ArrayDeque<>();
  private final Set<Awaited> open = ConcurrentHashMap.newKeySet();
  private int requests;
  private volatile boolean closed;

  /**
   * @param isSavedLocally whether the job may still be in the outbox, where no tracker knows it
   */
  public OutcomeCalls(
      RetryingCalls calls, RequestContext context, Predicate<JobHandle> isSavedLocally) {
    this.calls = calls;
    this.time = context.time();
    this.isSavedLocally = isSavedLocally;
    Duration half = context.timeouts().attempt().dividedBy(2);
    this.wait = half.compareTo(MAX_WAIT) < 0 ? half : MAX_WAIT;
  }

  private static final class Awaited {
    final JobHandle handle;
    final CompletableFuture<TriggerResult> future = new CompletableFuture<>();
    int timesNotKnown;

    Awaited(JobHandle handle) {
      this.handle = handle;
    }
  }

  /**
   * Awaits the end of a job.
   *
   * @return completed with the end; with a {@link NotEndedException} if the time is over, or if
   *     there is no end to wait for; with a {@link CallFailedException} if trackers refuse the
   *     question
   * @throws IllegalStateException if closed
   */
  CompletableFuture<TriggerResult> await(JobHandle handle, Duration patience) {
    calls.checkOpen();
    Awaited awaited = new Awaited(handle);
    Timer.Timeout deadline =
        time.schedule(
            patience,
            () ->
                awaited.future.completeExceptionally(
                    new NotEndedException(handle + " has not ended within " + patience, null)));
    open.add(awaited);
    awaited.future.whenComplete(
        (result, failure) -> {
          boolean unused = deadline.cancel();
          open.remove(awaited);
        });
    add(List.of(awaited));
    return awaited.future;
  }

  private void add(List<Awaited> jobs) {
    synchronized (this) {
      unasked.addAll(jobs);
    }
    if (closed) {
      fail(jobs, closedFailure());
    }
    askAll();
  }

  private void askAll() {
    for (List<Awaited> jobs = take(); !jobs.isEmpty(); jobs = take()) {
      ask(jobs);
    }
  }

  private synchronized List<Awaited> take() {
    List<Awaited> jobs = new ArrayList<>();
    while (requests < MAX_REQUESTS && jobs.size() < OutcomeRequest.MAX_JOBS && !unasked.isEmpty()) {
      Awaited job = unasked.remove();
      if (!job.future.isDone()) {
        jobs.add(job);
      }
    }
    requests += jobs.isEmpty() ? 0 : 1;
    return jobs;
  }

  private void ask(List<Awaited> jobs) {
    long beganNanos = time.clock().nanoTime();
    List<JobHandle> handles = jobs.stream().map(job -> job.handle).toList();
    String what = "await of " + handles.get(0) + (jobs.size() == 1 ? "" : " and others");
    CompletableFuture<OutcomeReply> reply;
    try {
      reply = calls.ask(what, new OutcomeRequest(handles, wait.toMillis()));
    } catch (IllegalStateException closedMeanwhile) {
      fail(jobs, closedFailure());
      return;
    }
    reply.whenComplete((answer, failure) -> answered(jobs, beganNanos, answer, failure));
  }

  private void answered(
      List<Awaited> jobs,
      long beganNanos,
      @Nullable OutcomeReply reply,
      @Nullable Throwable failure) {
    synchronized (this) {
      requests--;
    }
    boolean soon = time.clock().nanoTime() - beganNanos < wait.dividedBy(2).toNanos();
    if (reply != null) {
      boolean settled = settle(jobs, reply.settled());
      again(jobs, soon && !settled);
    } else if (failure != null && mayPass(failure)) {
      again(jobs, true);
    } else {
      fail(jobs, failure);
    }
    askAll();
  }

  private boolean mayPass(Throwable failure) {
    return Completions.causeOf(failure) instanceof CallFailedException known
        && known.isUnanswered();
  }

  /** Returns whether the answer has settled at least one job. */
  private boolean settle(List<Awaited> jobs, List<JobStatus> answers) {
    Map<String, JobStatus> byId = new HashMap<>();
    answers.forEach(status -> byId.put(String.valueOf(status.submissionId()), status));
    boolean settled = false;
    for (Awaited job : jobs) {
      JobStatus status = byId.get(job.handle.submissionId());
      settled |= status != null && settle(job, status);
    }
    return settled;
  }

  private boolean settle(Awaited job, JobStatus status) {
    TriggerResult end = status.lastEnd();
    if (status.hasEnded() && end != null) {
      job.future.complete(end);
      return true;
    }
    if (status.state() != JobStatus.State.NOT_KNOWN) {
      return job.future.completeExceptionally(
          new NotEndedException(
              job.handle + " is a recurring job, which has no one end; await its runs", status));
    }
    job.timesNotKnown = isSavedLocally.test(job.handle) ? 0 : job.timesNotKnown + 1;
    return job.timesNotKnown >= TIMES_NOT_KNOWN
        && job.future.completeExceptionally(
            new NotEndedException(
                job.handle
                    + " is not known, or not known any more: the tracker has no record of it",
                status));
  }

  private void again(List<Awaited> jobs, boolean later) {
    List<Awaited> now = new ArrayList<>();
    List<Awaited> afterPause = new ArrayList<>();
    for (Awaited job : jobs) {
      if (!job.future.isDone()) {
        (later || job.timesNotKnown > 0 ? afterPause : now).add(job);
      }
    }
    synchronized (this) {
      unasked.addAll(now);
    }
    if (!afterPause.isEmpty()) {
      Timer.Timeout unused = time.schedule(PAUSE, () -> add(afterPause));
    }
  }

  private static void fail(List<Awaited> jobs, @Nullable Throwable failure) {
    Throwable cause =
        failure == null
            ? new CallFailedException("the tracker sent no answer", true, null)
            : Completions.causeOf(failure);
    jobs.forEach(job -> job.future.completeExceptionally(cause));
  }

  private static CallFailedException closedFailure() {
    return new CallFailedException("the client was closed", false, null);
  }

  /** Fails all that is awaited. Idempotent. */
  @Override
  public void close() {
    closed = true;
    fail(List.copyOf(open), closedFailure());
  }
}
