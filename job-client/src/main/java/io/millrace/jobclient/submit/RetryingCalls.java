package io.millrace.jobclient.submit;

import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import io.millrace.jobclient.JobCallException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Asks a tracker until it answers or the time is over, with back-off between. For requests that may
 * be carried out twice without harm. Thread-safe.
 */
public final class RetryingCalls {
  private final Duration requestTimeout;
  private final Duration attemptTimeout;
  private final TrackerLink link;
  private final Clock clock;
  private final Timer timer;
  private final Executor executor;
  private final BackOff backOff;
  private final Set<OpenCall<?>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Makes an asker with nothing to ask.
   *
   * @param executor runs what the timer hands over; never code of the application
   */
  public RetryingCalls(
      SubmitBounds bounds,
      TrackerLink link,
      Clock clock,
      Timer timer,
      Executor executor,
      RandomGenerator random) {
    this.requestTimeout = bounds.requestTimeout();
    this.attemptTimeout = bounds.attemptTimeout();
    this.link = link;
    this.clock = clock;
    this.timer = timer;
    this.executor = executor;
    this.backOff = new BackOff(random);
  }

  /**
   * Asks. Whoever waits for the answer no longer cancels the future, and nothing is sent any more.
   *
   * @param what the call and its job, for messages
   * @return completed with the answer, or with a {@link JobCallException}
   * @throws IllegalStateException if closed
   */
  public <R> CompletableFuture<R> ask(String what, Request<R> request) {
    OpenCall<R> call = new OpenCall<>(what, request);
    open.add(call);
    call.future.whenComplete((reply, failure) -> open.remove(call));
    if (closed) {
      open.remove(call);
      throw new IllegalStateException("the client is closed");
    }
    call.attempt();
    return call.future;
  }

  /** Asks again at once what waits: called when a tracker is connected. */
  public void connected() {
    open.forEach(OpenCall::attempt);
  }

  /** Takes no further call, and fails those that are open. Idempotent. */
  public void close() {
    closed = true;
    RpcException failure = new RpcException(ErrorCode.UNAVAILABLE, "the client was closed");
    open.forEach(call -> call.fail(failure));
  }

  private final class OpenCall<R> {
    private final String what;
    private final Request<R> request;
    private final long deadlineNanos = clock.nanoTime() + requestTimeout.toNanos();
    private final CompletableFuture<R> future = new CompletableFuture<>();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean maybeDone;
    private volatile RpcException lastFailure =
        new RpcException(ErrorCode.UNAVAILABLE, "no tracker was asked");

    private OpenCall(String what, Request<R> request) {
      this.what = what;
      this.request = request;
    }

    private void attempt() {
      if (future.isDone() || !underWay.compareAndSet(false, true)) {
        return;
      }
      Session session = link.session();
      if (isOver()) {
        fail(lastFailure);
      } else if (session == null) {
        failed(new RpcException(ErrorCode.UNAVAILABLE, "no tracker is connected"));
      } else {
        call(session);
      }
    }

    private void call(Session session) {
      boolean before = maybeDone;
      maybeDone = true;
      CompletableFuture.completedFuture(session)
          .thenCompose(live -> live.call(request, shorter(attemptTimeout, remaining())))
          .whenComplete(
              (reply, problem) -> {
                if (problem == null) {
                  future.complete(reply);
                } else {
                  RpcException failure = RpcFailures.of(problem);
                  maybeDone = before || failure.isRetryable();
                  failed(failure);
                }
              });
    }

    private void failed(RpcException failure) {
      if (future.isDone()) {
        return;
      }
      if (!failure.isRetryable() || isOver()) {
        fail(failure);
        return;
      }
      lastFailure = failure;
      Duration delay = shorter(backOff.delay(failures.incrementAndGet()), remaining());
      underWay.set(false);
      timer.schedule(delay, executor, this::attempt);
    }

    private void fail(RpcException failure) {
      String how = isOver() ? "has no answer within " + requestTimeout : "failed";
      String message = "%s %s: %s; %s".formatted(what, how, failure.getMessage(), link.describe());
      future.completeExceptionally(new JobCallException(message, maybeDone, failure));
    }

    private Duration remaining() {
      return Duration.ofNanos(deadlineNanos - clock.nanoTime());
    }

    private boolean isOver() {
      return remaining().isNegative() || remaining().isZero();
    }

    private static Duration shorter(Duration one, Duration other) {
      return one.compareTo(other) < 0 ? one : other;
    }
  }
}
