package io.millrace.test.internal;

import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.Session;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Connects as another connector does, and shows the calls of its sessions to an observer. */
record ObservedConnector(RpcConnector connector, Observer observer) implements RpcConnector {

  /** Sees a call. */
  interface Observer {

    /** Returns the answer that the caller receives in the place of this one. */
    <R> CompletableFuture<R> called(Request<R> request, CompletableFuture<R> answer);
  }

  @Override
  public CompletableFuture<Session> connect(String address, RequestHandler handler) {
    return connector
        .connect(address, handler)
        .thenApply(session -> new ObservedSession(session, observer));
  }

  @Override
  public void close() {
    connector.close();
  }

  private record ObservedSession(Session session, Observer observer) implements Session {

    @Override
    public Peer peer() {
      return session.peer();
    }

    @Override
    public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
      return observer.called(request, session.call(request, timeout));
    }

    @Override
    public boolean isOpen() {
      return session.isOpen();
    }

    @Override
    public void onClose(Runnable task) {
      session.onClose(task);
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
