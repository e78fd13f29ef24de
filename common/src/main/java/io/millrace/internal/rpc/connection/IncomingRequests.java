package io.millrace.internal.rpc.connection;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PingReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of the other end: a request that its role may not send with an error, a ping
 * directly, the others by the handler. Every request that does not violate the protocol gets
 * exactly one answer.
 */
final class IncomingRequests {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingRequests.class);

  private static final byte[] NO_BODY = {};

  private final Connection connection;
  private final Messages messages;
  private final ConnectionLimits limits;
  private final SharedLoad load;
  private final RequestHandler handler;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong bytesUnderWay = new AtomicLong();

  IncomingRequests(Connection connection, ConnectionContext context, RequestHandler handler) {
    this.connection = connection;
    this.messages = context.messages();
    this.limits = context.limits();
    this.load = context.load();
    this.handler = handler;
  }

  /**
   * Receives a request.
   *
   * @throws ProtocolViolationException if its body is not JSON, or if it belongs to the handshake
   */
  void receive(Frame frame, Peer peer) {
    RequestType type = RequestType.ofCode(frame.type());
    if (type == null) {
      refuse(frame, ErrorCode.UNSUPPORTED, "unknown request type " + frame.type());
    } else if (type == RequestType.HELLO || type == RequestType.AUTHENTICATE) {
      throw new ProtocolViolationException(type + " after the handshake");
    } else if (!AccessRules.allows(peer.role(), type)) {
      refuse(frame, ErrorCode.FORBIDDEN, "a " + peer.role() + " may not send " + type);
    } else if (type == RequestType.PING) {
      connection.send(messages.reply(frame, PingReply.of(handler.trackers())));
    } else {
      admit(frame, type);
    }
  }

  private void admit(Frame frame, RequestType type) {
    if (underWay.get() >= limits.maxRequestsUnderWay()
        || bytesUnderWay.get() >= limits.maxRequestBytesUnderWay()) {
      refuse(frame, ErrorCode.UNAVAILABLE, "too many requests in flight on this connection");
      return;
    }
    Request<?> request;
    try {
      request = (Request<?>) messages.body(frame, type.requestClass());
    } catch (RpcException e) {
      refuse(frame, e.code(), String.valueOf(e.getMessage()));
      return;
    }
    int bytes = frame.size();
    if (!load.takeRequest(bytes, bytesUnderWay.get())) {
      refuse(frame, ErrorCode.UNAVAILABLE, "too many bytes of requests in flight at this tracker");
      return;
    }
    underWay.incrementAndGet();
    bytesUnderWay.addAndGet(bytes);
    serve(withoutBody(frame), request, bytes);
  }

  /** The body is decoded already and may be large, so it is not kept until the answer. */
  private static Frame withoutBody(Frame frame) {
    return new Frame(frame.kind(), frame.type(), frame.requestId(), NO_BODY);
  }

  private <R> void serve(Frame frame, Request<R> request, int bytes) {
    CompletionStage<R> stage;
    try {
      stage =
          Objects.requireNonNull(
              handler.handle(connection, request), "the handler returned no stage");
    } catch (RuntimeException e) {
      finish(frame, bytes, null, e);
      return;
    }
    stage.whenComplete((reply, failure) -> finish(frame, bytes, reply, failure));
  }

  private void finish(Frame frame, int bytes, @Nullable Object reply, @Nullable Throwable failure) {
    underWay.decrementAndGet();
    bytesUnderWay.addAndGet(-bytes);
    load.giveRequestBack(bytes);
    if (failure != null) {
      refuseFor(frame, failure);
    } else if (reply == null) {
      refuseFor(frame, new IllegalStateException("the handler returned no reply"));
    } else {
      answer(frame, reply);
    }
  }

  private void answer(Frame frame, Object reply) {
    Frame answer;
    try {
      answer = messages.reply(frame, reply);
    } catch (RpcException e) {
      refuseFor(frame, new IllegalStateException("the reply cannot be sent", e));
      return;
    }
    connection.send(answer);
  }

  private void refuseFor(Frame frame, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RpcException known) {
      refuse(frame, known.code(), String.valueOf(known.getMessage()));
    } else {
      RequestType type = RequestType.ofCode(frame.type());
      connection.log(
          "failed " + type,
          ending ->
              LOG.error("rpc: {} of {} failed{}", type, connection.describePeer(), ending, cause));
      refuse(frame, ErrorCode.INTERNAL, type + " failed; see the log of the node that received it");
    }
  }

  private void refuse(Frame frame, ErrorCode code, String message) {
    connection.send(messages.error(frame, code, message));
  }
}
