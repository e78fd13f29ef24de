package io.millrace.internal.rpc.connection;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.time.Timer;
import io.millrace.internal.time.Timer.Timeout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a connection over any transport: first a handshake, then requests in both directions,
 * then closed for ever. Frames are received on the transport's executor; the rest is thread-safe.
 */
public final class Connection implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private final FrameTransport transport;
  private final ConnectionContext context;
  private final OutgoingCalls calls;
  private final IncomingRequests requests;
  private final KeepAlive keepAlive;
  private final CompletableFuture<String> closed = new CompletableFuture<>();
  private FrameReceiver stage;
  private @Nullable Timeout handshakeTimeout;
  private volatile @Nullable Peer peer;
  private volatile @Nullable String closeReason;

  public Connection(FrameTransport transport, ConnectionContext context, RequestHandler handler) {
    this.transport = transport;
    this.context = context;
    this.calls = new OutgoingCalls(this, context);
    this.requests = new IncomingRequests(this, context, handler);
    this.keepAlive = new KeepAlive(this, context);
    this.stage =
        frame -> {
          throw new ProtocolViolationException(frame + " received before the handshake");
        };
  }

  /** Begins the handshake, which receives the frames from now on. */
  public void begin(FrameReceiver handshake) {
    stage = handshake;
    Duration limit = context.limits().handshakeTimeout();
    handshakeTimeout =
        context
            .timer()
            .schedule(
                limit,
                executor(),
                () ->
                    abort(
                        CutReason.SLOW_HANDSHAKE,
                        "no handshake within " + limit.toMillis() + " ms"));
  }

  /** Ends the handshake: from now on both ends may send requests. */
  void open(Peer identity) {
    peer = identity;
    stage = this::receiveOpen;
    Timer.cancel(handshakeTimeout);
    transport.limitFrames(context.limits().maxFrameBytes());
    keepAlive.watch();
  }

  /** Records that data arrived from the other end. */
  public void received() {
    keepAlive.received();
  }

  /** Receives a frame from the transport. */
  public void receive(Frame frame) {
    if (closeReason != null) {
      return;
    }
    received();
    try {
      stage.receive(frame);
    } catch (ProtocolViolationException e) {
      abort(CutReason.PROTOCOL, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      log(
          "failed",
          ending ->
              LOG.error(
                  "rpc: {} from {} could not be processed{}", frame, describePeer(), ending, e));
      abort(CutReason.FAILED, "this node failed to process a frame");
    }
  }

  private void receiveOpen(Frame frame) {
    if (frame.kind() == FrameKind.REQUEST) {
      requests.receive(frame, peer());
    } else {
      calls.receive(frame);
    }
  }

  /** The id of the next request of this end; ids are never used twice on a connection. */
  long nextRequestId() {
    return calls.nextId();
  }

  /** Sends a frame; closes the connection if the other end does not read. */
  void send(Frame frame) {
    if (!transport.send(frame)) {
      cut(CutReason.UNSENT, "it does not read the data that it is sent");
    }
  }

  /**
   * Closes the connection after sending what is queued, counts the reason and logs it; does nothing
   * if it is closing already.
   */
  public void abort(CutReason kind, String reason) {
    closeFor(kind, reason, true);
  }

  /** The same as {@link #abort}, but at once: unsent frames are dropped. */
  public void cut(CutReason kind, String reason) {
    closeFor(kind, reason, false);
  }

  private void closeFor(CutReason kind, String reason, boolean afterSending) {
    if (markClosing(reason)) {
      context.load().countCut(kind);
      log(
          kind.name(),
          ending ->
              LOG.warn("rpc: closing the connection of {}: {}{}", describePeer(), reason, ending));
      transport.close(afterSending);
    }
  }

  /** Writes a log line, at most one per second for each kind and host. */
  void log(String kind, Consumer<String> line) {
    context.load().log().write(kind + " " + host(), line);
  }

  /**
   * The address of the other end without its port, because each connection comes from a new port.
   */
  String host() {
    String address = remoteAddress();
    int port = address.lastIndexOf(':');
    return port < 0 ? address : address.substring(0, port);
  }

  Duration incompleteFor() {
    return transport.incompleteFor();
  }

  /** Called by the transport when it is closed in both directions. Idempotent. */
  public void transportClosed(String reason) {
    markClosing(reason);
    String first = String.valueOf(closeReason);
    LOG.debug("rpc: connection of {} closed: {}", describePeer(), first);
    Timer.cancel(handshakeTimeout);
    keepAlive.stop();
    calls.failAll("the connection to " + describePeer() + " closed: " + first);
    closed.complete(first);
  }

  private synchronized boolean markClosing(String reason) {
    if (closeReason != null) {
      return false;
    }
    closeReason = reason;
    return true;
  }

  /** Completes with the reason when the connection is closed. */
  public CompletableFuture<String> closed() {
    return closed;
  }

  Executor executor() {
    return transport.executor();
  }

  String remoteAddress() {
    return transport.remoteAddress();
  }

  String describePeer() {
    Peer known = peer;
    if (known == null) {
      return transport.remoteAddress();
    }
    String group = known.group().isEmpty() ? "" : " of group " + known.group();
    return known.role() + " " + known.nodeId() + group + " at " + known.address();
  }

  @Override
  public Peer peer() {
    Peer known = peer;
    if (known == null) {
      throw new IllegalStateException("no handshake yet with " + transport.remoteAddress());
    }
    return known;
  }

  @Override
  public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
    return calls.call(request, timeout);
  }

  @Override
  public boolean isOpen() {
    return peer != null && closeReason == null;
  }

  @Override
  public void onClose(Runnable task) {
    closed.thenRun(task).whenComplete((done, failure) -> logFailed(failure));
  }

  private void logFailed(@Nullable Throwable failure) {
    if (failure != null) {
      LOG.error("rpc: a task failed after the connection of {} closed", describePeer(), failure);
    }
  }

  @Override
  public void close() {
    if (markClosing("closed by this node")) {
      transport.close(true);
    }
  }
}
