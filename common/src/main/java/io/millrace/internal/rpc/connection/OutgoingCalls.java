package io.millrace.internal.rpc.connection;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ErrorReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.Timer.Timeout;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The requests of this end that have no answer yet. Thread-safe. */
final class OutgoingCalls {
  private final Connection connection;
  private final ConnectionContext context;
  private final AtomicLong lastId = new AtomicLong();
  private final Map<Long, PendingCall<?>> pending = new ConcurrentHashMap<>();
  private volatile @Nullable String failure;

  OutgoingCalls(Connection connection, ConnectionContext context) {
    this.connection = connection;
    this.context = context;
  }

  long nextId() {
    return lastId.incrementAndGet();
  }

  /** Sends a request; the future always completes, at the latest at the time-out. */
  <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
    long id = nextId();
    RequestType type = RequestType.of(request);
    Frame frame;
    try {
      frame = context.messages().request(type, id, request);
    } catch (RpcException e) {
      return CompletableFuture.failedFuture(e);
    }
    PendingCall<R> call = new PendingCall<>(type, new CompletableFuture<>());
    pending.put(id, call);
    call.expireBy(
        context.timer().schedule(timeout, connection.executor(), () -> expire(id, timeout)));
    String alreadyClosed = failure;
    if (alreadyClosed == null) {
      connection.send(frame);
    } else {
      fail(id, alreadyClosed);
    }
    return call.future();
  }

  /**
   * Receives a reply or an error. An answer that arrives after the time-out is ignored.
   *
   * @throws ProtocolViolationException if it answers a request that was never sent, or has another
   *     type than its request
   */
  void receive(Frame frame) {
    if (frame.requestId() < 1 || frame.requestId() > lastId.get()) {
      throw new ProtocolViolationException("answer to a request that was never sent: " + frame);
    }
    PendingCall<?> call = pending.remove(frame.requestId());
    if (call == null) {
      return;
    }
    try {
      call.answer(frame, context.messages());
    } catch (ProtocolViolationException e) {
      call.fail(unavailable(e.getMessage() + ", from " + connection.describePeer()));
      throw e;
    }
  }

  /** Fails all pending calls, and every later one. */
  void failAll(String reason) {
    failure = reason;
    pending.keySet().forEach(id -> fail(id, reason));
  }

  private void expire(long id, Duration timeout) {
    fail(id, "no answer from " + connection.describePeer() + " within " + timeout);
  }

  private void fail(long id, String reason) {
    PendingCall<?> call = pending.remove(id);
    if (call != null) {
      call.fail(unavailable(call.type() + ": " + reason));
    }
  }

  private static RpcException unavailable(String message) {
    return new RpcException(ErrorCode.UNAVAILABLE, message);
  }

  /** A request that has no answer yet. */
  private record PendingCall<R>(RequestType type, CompletableFuture<R> future) {

    void expireBy(Timeout timeout) {
      future.whenComplete((reply, error) -> timeout.cancel());
    }

    void answer(Frame frame, Messages messages) {
      if (frame.type() != type.code()) {
        throw new ProtocolViolationException(frame + " answers a request of type " + type.code());
      }
      if (frame.kind() == FrameKind.ERROR) {
        ErrorReply error = messages.body(frame, ErrorReply.class);
        fail(new RpcException(error.code(), type + ": " + error.message()));
      } else {
        complete(frame, messages);
      }
    }

    @SuppressWarnings("unchecked")
    private void complete(Frame frame, Messages messages) {
      try {
        future.complete((R) messages.body(frame, type.replyClass()));
      } catch (RpcException e) {
        fail(new RpcException(ErrorCode.INTERNAL, type + ": invalid reply: " + e.getMessage(), e));
      }
    }

    void fail(RpcException error) {
      future.completeExceptionally(error);
    }
  }
}
