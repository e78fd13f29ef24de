package io.millrace.jobclient.fake;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Connects to trackers that are up, at once. */
public final class FakeConnector implements RpcConnector {
  private final List<FakeSession> sessions = new ArrayList<>();
  private RequestHandler handler;
  private boolean up = true;
  private boolean closed;

  @Override
  public CompletableFuture<Session> connect(String address, RequestHandler newHandler) {
    if (!up) {
      return CompletableFuture.failedFuture(
          new RpcException(ErrorCode.UNAVAILABLE, "cannot connect to " + address));
    }
    handler = newHandler;
    FakeSession session = new FakeSession(address);
    sessions.add(session);
    return CompletableFuture.completedFuture(session);
  }

  /** Trackers stop answering, and the connection breaks. */
  public void down() {
    up = false;
    sessions.forEach(FakeSession::close);
  }

  /** Trackers answer again. */
  public void up() {
    up = true;
  }

  /** The latest session. */
  public FakeSession session() {
    return sessions.get(sessions.size() - 1);
  }

  /** Every session so far. */
  public List<FakeSession> sessions() {
    return sessions;
  }

  /** Asks the client. */
  public <R> CompletionStage<R> ask(Request<R> request) {
    return handler.handle(session(), request);
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
