package io.millrace.internal.rpc.memory;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcCounts;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.connection.Connection;
import io.millrace.internal.rpc.connection.ConnectionContext;
import io.millrace.internal.rpc.connection.TrackerHandshake;
import io.millrace.internal.rpc.connection.TrackerIdentity;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Accepts the connections to one address of an {@link InProcessNetwork}. */
final class InProcessServer implements RpcServer {
  private final InProcessNetwork network;
  private final String address;
  private final TrackerIdentity identity;
  private final ConnectionContext context;
  private volatile @Nullable RequestHandler handler;
  private volatile Consumer<Session> onSession = session -> {};

  InProcessServer(InProcessNetwork network, String address, TrackerIdentity identity) {
    this.network = network;
    this.address = address;
    this.identity = identity;
    this.context = network.context(ConnectionLimits.DEFAULT);
  }

  @Override
  public String start(RequestHandler requestHandler, Consumer<Session> sessionListener) {
    handler = requestHandler;
    onSession = sessionListener;
    if (!network.register(address, this)) {
      throw new RpcException(
          ErrorCode.UNAVAILABLE, "cannot listen on " + address + ": already in use");
    }
    return address;
  }

  /** Begins a connection; called on the end's executor. */
  void accept(InProcessEnd end) {
    RequestHandler started = handler;
    if (started == null) {
      throw new IllegalStateException("not started: " + address);
    }
    Connection connection = new Connection(end, context, started);
    end.attach(connection);
    connection.begin(new TrackerHandshake(connection, context, identity, onSession));
  }

  @Override
  public RpcCounts counts() {
    return context.load();
  }

  @Override
  public void close() {
    if (network.deregister(address, this)) {
      network.cut(link -> link.joins(address), "closed by the tracker");
    }
  }
}
