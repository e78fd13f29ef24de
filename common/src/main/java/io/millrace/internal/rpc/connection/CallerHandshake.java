package io.millrace.internal.rpc.connection;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.AuthenticateReply;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ErrorReply;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The caller's side of a handshake. Used only on the transport's executor. */
public final class CallerHandshake implements FrameReceiver {
  private final Connection connection;
  private final Messages messages;
  private final @Nullable Token token;
  private final Hello hello;
  private final String address;
  private final CompletableFuture<Session> result;
  private RequestType asked = RequestType.HELLO;
  private long askedId;
  private @Nullable HelloReply greeting;

  /**
   * Makes a handshake.
   *
   * @param address the tracker's address, as the caller knows it
   * @param result receives the session, or the failure
   */
  public CallerHandshake(
      Connection connection,
      Messages messages,
      RpcConnectorConfig config,
      String nonce,
      String address,
      CompletableFuture<Session> result) {
    this.connection = connection;
    this.messages = messages;
    this.token = config.token();
    this.address = address;
    this.result = result;
    this.hello =
        new Hello(
            ProtocolVersions.LOWEST,
            ProtocolVersions.HIGHEST,
            config.role(),
            config.nodeId(),
            config.group(),
            nonce,
            SoftwareVersion.here());
  }

  /** Says hello. */
  public void start() {
    connection.closed().thenAccept(reason -> fail(ErrorCode.UNAVAILABLE, "closed: " + reason));
    connection.begin(this);
    ask(RequestType.HELLO, hello);
  }

  @Override
  public void receive(Frame frame) {
    if (frame.kind() == FrameKind.REQUEST
        || frame.type() != asked.code()
        || frame.requestId() != askedId) {
      throw new ProtocolViolationException(frame + " instead of an answer to " + asked);
    }
    try {
      if (frame.kind() == FrameKind.ERROR) {
        ErrorReply error = messages.body(frame, ErrorReply.class);
        giveUp(error.code(), error.message());
      } else if (asked == RequestType.HELLO) {
        greeted(messages.body(frame, HelloReply.class));
      } else {
        authenticated(messages.body(frame, AuthenticateReply.class));
      }
    } catch (RpcException e) {
      throw new ProtocolViolationException("invalid answer to " + asked + ": " + e.getMessage());
    }
  }

  private void greeted(HelloReply reply) {
    greeting = reply;
    if (!ProtocolVersions.isSpoken(reply.version())) {
      giveUp(ErrorCode.VERSION_MISMATCH, "it chose the unsupported version " + reply.version());
    } else if (token == null && reply.proofRequired()) {
      giveUp(
          ErrorCode.UNAUTHENTICATED,
          "it requires the token of " + hello.role() + "S, and this node has none");
    } else if (token != null && !reply.proofRequired()) {
      giveUp(
          ErrorCode.UNAUTHENTICATED,
          "it requires no token, so it cannot prove its identity: either it is not the"
              + " tracker, or the tracker needs the token of "
              + hello.role()
              + "S, or this node must be configured without a token");
    } else if (token != null) {
      ask(RequestType.AUTHENTICATE, new Authenticate(proof(token, reply).ofCaller()));
    } else {
      open(reply);
    }
  }

  private void authenticated(AuthenticateReply reply) {
    HelloReply known = greeting;
    if (token == null || known == null || !proof(token, known).isOfTracker(reply.proof())) {
      giveUp(
          ErrorCode.UNAUTHENTICATED, "its proof is wrong: it does not know the token of this node");
    } else {
      open(known);
    }
  }

  private HandshakeProof proof(Token secret, HelloReply reply) {
    return new HandshakeProof(secret, hello, reply.challenge());
  }

  private void open(HelloReply known) {
    connection.open(new Peer(NodeRole.TRACKER, known.trackerId(), "", address));
    result.complete(connection);
  }

  private void ask(RequestType type, Request<?> request) {
    asked = type;
    askedId = connection.nextRequestId();
    connection.send(messages.request(type, askedId, request));
  }

  private void giveUp(ErrorCode code, String message) {
    fail(code, message);
    connection.abort(CutReason.REFUSED, code + ": " + message);
  }

  private void fail(ErrorCode code, String message) {
    result.completeExceptionally(new RpcException(code, "tracker at " + address + ": " + message));
  }
}
