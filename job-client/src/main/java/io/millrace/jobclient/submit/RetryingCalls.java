package io.millrace.jobclient.submit;

import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
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

  /** Asks; the future fails with the {@link RpcException} of the last attempt. */
  public <R> CompletableFuture<R> ask(Request<R> request) {
    OpenCall<R> call = new OpenCall<>(request);
    open.add(call);
    call.future.whenComplete((reply, failure) -> open.remove(call));
    call.attempt();
    return call.future;
  }

  /** Asks again at once what waits: called when a tracker is connected. */
  public void connected() {
    open.forEach(OpenCall::attempt);
  }

  /** Fails every call that is open. */
  public void close() {
    RpcException closed = new RpcException(ErrorCode.UNAVAILABLE, "the client was closed");
    open.forEach(call -> call.future.completeExceptionally(closed));
  }

  private final class OpenCall<R> {
    private final Request<R> request;
    private final long deadlineNanos = clock.nanoTime() + requestTimeout.toNanos();
    private final CompletableFuture<R> future = new CompletableFuture<>();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile RpcException lastFailure =
        new RpcException(ErrorCode.UNAVAILABLE, "no tracker was asked");

    private OpenCall(Request<R> request) {
      this.request = request;
    }

    private void attempt() {
      if (future.isDone() || !underWay.compareAndSet(false, true)) {
        return;
      }
      Session session = link.session();
      if (isOver()) {
        future.completeExceptionally(lastFailure);
      } else if (session == null) {
        failed(new RpcException(ErrorCode.UNAVAILABLE, "no tracker is connected"));
      } else {
        call(session);
      }
    }

    private void call(Session session) {
      CompletableFuture.completedFuture(session)
          .thenCompose(live -> live.call(request, shorter(attemptTimeout, remaining())))
          .whenComplete(
              (reply, failure) -> {
                if (failure == null) {
                  future.complete(reply);
                } else {
                  failed(RpcFailures.of(failure));
                }
              });
    }

    private void failed(RpcException failure) {
      if (!failure.isRetryable() || isOver()) {
        future.completeExceptionally(failure);
        return;
      }
      lastFailure = failure;
      Duration delay = shorter(backOff.delay(failures.incrementAndGet()), remaining());
      underWay.set(false);
      timer.schedule(delay, executor, this::attempt);
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
