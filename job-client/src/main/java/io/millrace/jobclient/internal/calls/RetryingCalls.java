package io.millrace.jobclient.internal.calls;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.jobclient.internal.request.Backoff;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.RpcFailures;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends a request to a tracker until it answers or the time is over, with back-off between the
 * attempts. For requests that a tracker may safely execute twice. Thread-safe.
 */
public final class RetryingCalls {
  private static final long MAX_PATIENCE_MILLIS = Duration.ofDays(365).toMillis();

  private final RequestContext context;
  private final TrackerLink link;
  private final Backoff backoff;
  private final long originNanos;
  private final Set<OpenCall<?>> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public RetryingCalls(RequestContext context) {
    this.context = context;
    this.link = context.link();
    this.backoff = new Backoff(context.random());
    this.originNanos = context.clock().nanoTime();
  }

  /**
   * Sends a request until it is answered or the request timeout is over. Cancelling the future ends
   * the call; the request is not sent again.
   *
   * @param what the call and its job, for messages
   * @return completed with the answer, or with a {@link CallFailedException}
   * @throws IllegalStateException if closed
   */
  public <R> CompletableFuture<R> ask(String what, Request<R> request) {
    return ask(what, request, context.timeouts().request());
  }

  /** Sends a request as {@link #ask(String, Request)} does, for at most this time. */
  <R> CompletableFuture<R> ask(String what, Request<R> request, Duration patience) {
    long deadlineNanos = nowNanos() + nanos(patience);
    return begin(new OpenCall<>(what, request, Patience.REQUEST_TIMEOUT, deadlineNanos, patience));
  }

  private static long nanos(Duration patience) {
    return Math.min(patience.toMillis(), MAX_PATIENCE_MILLIS) * 1_000_000;
  }

  /**
   * Sends a request as {@link #ask} does, and also fails when no tracker has been connected for a
   * while. After a failure for which {@link CallFailedException#isUnanswered} is true, the request
   * may be saved.
   */
  <R> CompletableFuture<R> askBriefly(String what, Request<R> request, long deadlineNanos) {
    return begin(
        new OpenCall<>(
            what,
            request,
            Patience.WHILE_TRACKERS_ARE_THERE,
            deadlineNanos,
            context.timeouts().request()));
  }

  /**
   * Sends a request until it is answered, however long that takes. Fails only if trackers reject
   * the request itself as bad. After {@link #close} the future never completes.
   */
  public <R> CompletableFuture<R> deliver(String what, Request<R> request) {
    return begin(
        new OpenCall<>(
            what, request, Patience.WITHOUT_END, Long.MAX_VALUE, context.timeouts().request()));
  }

  /** Returns the deadline of a call that begins now. */
  long deadline() {
    return nowNanos() + nanos(context.timeouts().request());
  }

  /**
   * Returns the nanoseconds since this object was created, which can be compared with a deadline.
   */
  private long nowNanos() {
    return context.clock().nanoTime() - originNanos;
  }

  private <R> CompletableFuture<R> begin(OpenCall<R> call) {
    open.add(call);
    call.future.whenComplete((reply, failure) -> open.remove(call));
    if (closed) {
      open.remove(call);
      checkOpen();
    }
    failIfRefused();
    call.attempt();
    return call.future;
  }

  /** Returns whether trackers refuse this client now. */
  boolean isRefused() {
    return link.refusal() != null;
  }

  /**
   * Checks that this object is open.
   *
   * @throws IllegalStateException if closed
   */
  void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
  }

  /** Repeats the waiting calls at once. Called when a tracker is connected. */
  public void connected() {
    open.forEach(OpenCall::attempt);
  }

  /**
   * Fails the calls that do not wait for trackers. Called when no tracker has been connected for a
   * while.
   */
  public void trackersAreGone() {
    RpcException failure = new RpcException(ErrorCode.UNAVAILABLE, "no tracker is connected");
    open.stream()
        .filter(call -> call.patience == Patience.WHILE_TRACKERS_ARE_THERE)
        .forEach(call -> call.fail(failure));
  }

  /**
   * Fails the waiting calls if trackers refuse this client, except those that deliver saved
   * requests.
   */
  public void failIfRefused() {
    RpcException refusal = link.refusal();
    if (refusal != null) {
      open.stream()
          .filter(call -> call.patience != Patience.WITHOUT_END)
          .forEach(call -> call.fail(refusal));
    }
  }

  /**
   * Accepts no further calls and fails the open ones. Calls that deliver saved requests do not
   * complete. Idempotent.
   */
  public void close() {
    closed = true;
    RpcException failure = new RpcException(ErrorCode.UNAVAILABLE, "the client was closed");
    open.removeIf(call -> call.patience == Patience.WITHOUT_END);
    open.forEach(call -> call.fail(failure));
  }

  /** How long a call is repeated. */
  private enum Patience {
    REQUEST_TIMEOUT,
    WHILE_TRACKERS_ARE_THERE,
    WITHOUT_END
  }

  private final class OpenCall<R> {
    private final String what;
    private final Request<R> request;
    private final Patience patience;
    private final long deadlineNanos;
    private final Duration limit;
    private final CompletableFuture<R> future = new CompletableFuture<>();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean maybeDone;
    private volatile RpcException lastFailure =
        new RpcException(ErrorCode.UNAVAILABLE, "no tracker has been called");

    private OpenCall(
        String what, Request<R> request, Patience patience, long deadlineNanos, Duration limit) {
      this.what = what;
      this.request = request;
      this.patience = patience;
      this.deadlineNanos = deadlineNanos;
      this.limit = limit;
    }

    private void attempt() {
      if (future.isDone() || !open.contains(this) || !underWay.compareAndSet(false, true)) {
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
          .thenCompose(
              live -> live.call(request, shorter(context.timeouts().attempt(), remaining())))
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
      if (future.isDone() || !open.contains(this)) {
        return;
      }
      if (isFinal(failure) || isOver()) {
        fail(failure);
        return;
      }
      lastFailure = failure;
      Duration delay = shorter(backoff.delay(failures.incrementAndGet()), remaining());
      underWay.set(false);
      context.time().schedule(delay, this::attempt);
    }

    /**
     * Returns whether the call ends with this failure. For a request from the outbox, only a fault
     * of the request itself is final.
     */
    private boolean isFinal(RpcException failure) {
      return patience == Patience.WITHOUT_END
          ? failure.code() == ErrorCode.BAD_REQUEST
          : !failure.isRetryable();
    }

    private void fail(RpcException failure) {
      String how = isOver() ? "got no answer within " + limit : "failed";
      String message = "%s %s: %s; %s".formatted(what, how, failure.getMessage(), link.describe());
      future.completeExceptionally(new CallFailedException(message, maybeDone, failure));
    }

    private Duration remaining() {
      return Duration.ofNanos(deadlineNanos - nowNanos());
    }

    private boolean isOver() {
      return remaining().isNegative() || remaining().isZero();
    }

    private static Duration shorter(Duration one, Duration other) {
      return one.compareTo(other) < 0 ? one : other;
    }
  }
}
