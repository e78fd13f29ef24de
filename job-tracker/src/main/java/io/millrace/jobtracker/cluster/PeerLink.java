package io.millrace.jobtracker.cluster;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.HandOverReply;
import io.millrace.internal.protocol.HandOverRequest;
import io.millrace.internal.protocol.HintRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one peer. Sends one hint request at a time; hints that arrive meanwhile go with
 * the next request. Without a connection hints are dropped, so a dead peer costs nothing. Never
 * blocks. Thread-safe.
 */
final class PeerLink {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
  private static final Duration HINT_TIMEOUT = Duration.ofSeconds(2);

  private final Tracker peer;
  private final RpcConnector connector;
  private final PendingHints pending = new PendingHints();
  private @Nullable CompletableFuture<Session> opening;
  private @Nullable Session session;
  private boolean sending;
  private boolean complained;
  private boolean closed;

  PeerLink(Tracker peer, RpcConnector connector) {
    this.peer = peer;
    this.connector = connector;
  }

  String address() {
    return peer.address();
  }

  /** Whether this link leads to this process at its current address. */
  boolean leadsTo(Tracker tracker) {
    return peer.trackerId().equals(tracker.trackerId()) && peer.address().equals(tracker.address());
  }

  /** Returns the connection, and opens one if there is none and none is being opened. */
  CompletableFuture<Session> connect() {
    CompletableFuture<Session> attempt = new CompletableFuture<>();
    synchronized (this) {
      if (session != null && session.isOpen()) {
        return CompletableFuture.completedFuture(session);
      }
      if (opening != null) {
        return opening;
      }
      if (closed) {
        return CompletableFuture.failedFuture(failure("the link is closed"));
      }
      opening = attempt;
    }
    CompletableFuture<Void> unused =
        connector
            .connect(peer.address(), PeerLink::refuse)
            .handle((opened, failure) -> settle(attempt, opened, failure));
    return attempt;
  }

  @SuppressWarnings("NullAway") // the only value of Void
  private Void settle(
      CompletableFuture<Session> attempt, @Nullable Session opened, @Nullable Throwable failure) {
    RpcException fault = opened == null ? failure(String.valueOf(failure)) : faultOf(opened);
    boolean wanted;
    synchronized (this) {
      opening = null;
      wanted = fault == null && !closed;
      session = wanted ? opened : null;
    }
    if (wanted && opened != null) {
      LOG.info("peers: connected to tracker {} at {}", peer.trackerId(), peer.address());
      opened.onClose(() -> lost(opened));
      attempt.complete(opened);
      return null;
    }
    if (opened != null) {
      opened.close();
    }
    RpcException reason = fault == null ? failure("the link is closed") : fault;
    complain(reason);
    attempt.completeExceptionally(reason);
    return null;
  }

  /** A tracker that connects to the loopback address of a peer reaches itself. */
  private @Nullable RpcException faultOf(Session opened) {
    String found = opened.peer().nodeId();
    return found.equals(peer.trackerId())
        ? null
        : failure("tracker " + found + " answers at this address; check rpc.advertised-host");
  }

  private RpcException failure(String why) {
    return new RpcException(
        ErrorCode.UNAVAILABLE,
        "tracker " + peer.trackerId() + " cannot be notified at " + peer.address() + ": " + why);
  }

  private synchronized void complain(RpcException reason) {
    if (closed || complained) {
      LOG.debug("peers: {}", reason.getMessage());
    } else {
      complained = true;
      LOG.warn("peers: {}; it will find the changes later, by itself", reason.getMessage());
    }
  }

  private synchronized void lost(Session gone) {
    if (session == gone) {
      session = null;
      pending.clear();
    }
  }

  /** Adds a hint for the peer; without a connection, does nothing. */
  void send(Consumer<PendingHints> hint) {
    synchronized (this) {
      if (session == null) {
        return;
      }
      hint.accept(pending);
      if (sending) {
        return;
      }
      sending = true;
    }
    sendNext();
  }

  private void sendNext() {
    HintRequest hints;
    Session to;
    synchronized (this) {
      if (session == null || pending.isEmpty()) {
        sending = false;
        return;
      }
      hints = pending.take();
      to = session;
    }
    CompletableFuture<?> unused =
        to.call(hints, HINT_TIMEOUT)
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    LOG.debug("peers: a hint did not reach tracker {}", peer.trackerId(), failure);
                  }
                  sendNext();
                });
  }

  /**
   * Notifies the peer that it owns a node group; completes with whether the peer serves the group.
   * Never completes exceptionally.
   */
  CompletableFuture<Boolean> handOver(String nodeGroup, Duration timeout) {
    return connect()
        .thenCompose(open -> open.call(new HandOverRequest(nodeGroup), timeout))
        .thenApply(HandOverReply::serving)
        .exceptionally(
            failure -> {
              LOG.debug("peers: node group {} could not be handed over", nodeGroup, failure);
              return false;
            });
  }

  /** Closes the connection; no connection is opened afterwards. */
  void close() {
    Session open;
    synchronized (this) {
      closed = true;
      open = session;
      session = null;
      pending.clear();
    }
    if (open != null) {
      open.close();
    }
  }

  /** Rejects requests: a peer sends its requests over the connections that it opened itself. */
  private static <R> CompletionStage<R> refuse(Session session, Request<R> request) {
    return CompletableFuture.failedFuture(
        new RpcException(
            ErrorCode.UNSUPPORTED, "a tracker sends requests over its own connections only"));
  }
}
