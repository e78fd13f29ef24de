package io.millrace.internal.rpc.connection;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.AuthenticateReply;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.HelloRules;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tracker's side of a handshake. Used only on the transport's executor. */
public final class TrackerHandshake implements FrameReceiver {
  /** Counts the accepted connections, so that each has its own number. */
  private static final AtomicLong CONNECTIONS = new AtomicLong();

  private final Connection connection;
  private final ConnectionContext context;
  private final Messages messages;
  private final TrackerIdentity identity;
  private final Consumer<Session> onSession;
  private @Nullable Hello hello;
  private @Nullable HandshakeProof proof;

  /** Whether a wrong proof waits for its answer; later frames are then ignored. */
  private boolean isRefused;

  public TrackerHandshake(
      Connection connection,
      ConnectionContext context,
      TrackerIdentity identity,
      Consumer<Session> onSession) {
    this.connection = connection;
    this.context = context;
    this.messages = context.messages();
    this.identity = identity;
    this.onSession = onSession;
  }

  @Override
  public void receive(Frame frame) {
    if (isRefused) {
      return;
    }
    RequestType expected = hello == null ? RequestType.HELLO : RequestType.AUTHENTICATE;
    if (frame.kind() != FrameKind.REQUEST || frame.type() != expected.code()) {
      throw new ProtocolViolationException(frame + " instead of " + expected);
    }
    try {
      if (expected == RequestType.HELLO) {
        greet(frame, messages.body(frame, Hello.class));
      } else {
        authenticate(frame, messages.body(frame, Authenticate.class));
      }
    } catch (RpcException e) {
      refuse(frame, CutReason.REFUSED, e.code(), String.valueOf(e.getMessage()));
    }
  }

  private void greet(Frame frame, Hello said) {
    int version = ProtocolVersions.common(said.minVersion(), said.maxVersion());
    String fault = HelloRules.faultOf(said);
    if (version == ProtocolVersions.NONE) {
      refuse(frame, CutReason.REFUSED, ErrorCode.VERSION_MISMATCH, ProtocolVersions.mismatch(said));
      return;
    }
    if (fault != null) {
      refuse(frame, CutReason.REFUSED, ErrorCode.BAD_REQUEST, fault);
      return;
    }
    if (!identity.tokens().admit(said.role())) {
      refuse(
          frame,
          CutReason.REFUSED,
          ErrorCode.UNAUTHENTICATED,
          "this tracker does not accept connections of a " + said.role());
      return;
    }
    hello = said;
    String challenge = identity.nonces().get();
    Token token = identity.tokens().of(said.role());
    proof = token == null ? null : new HandshakeProof(token, said, challenge);
    HelloReply reply =
        new HelloReply(
            version, identity.trackerId(), challenge, /* proofRequired= */ proof != null);
    if (proof == null) {
      open(said, frame, reply);
    } else {
      connection.send(messages.reply(frame, reply));
    }
  }

  private void authenticate(Frame frame, Authenticate said) {
    HandshakeProof expected = proof;
    Hello known = hello;
    if (known == null || expected == null || !expected.isOfCaller(said.proof())) {
      refuseLater(frame);
      return;
    }
    open(known, frame, new AuthenticateReply(expected.ofTracker()));
  }

  private void open(Hello known, Frame request, Object reply) {
    connection.send(messages.reply(request, reply));
    connection.open(
        new Peer(
            known.role(),
            known.nodeId(),
            known.group(),
            connection.remoteAddress(),
            known.software(),
            CONNECTIONS.incrementAndGet()));
    onSession.accept(connection);
  }

  private void refuseLater(Frame frame) {
    isRefused = true;
    context
        .timer()
        .schedule(
            context.load().wrongProofs().count(connection.host()),
            connection.executor(),
            () -> refuse(frame, CutReason.WRONG_PROOF, ErrorCode.UNAUTHENTICATED, "wrong token"));
  }

  private void refuse(Frame frame, CutReason kind, ErrorCode code, String message) {
    connection.send(messages.error(frame, code, message));
    connection.abort(kind, code + ": " + message);
  }
}
