package io.millrace.internal.rpc.memory;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.connection.CallerHandshake;
import io.millrace.internal.rpc.connection.Connection;
import io.millrace.internal.rpc.connection.ConnectionContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Opens the connections of one node of an {@link InProcessNetwork}. */
final class InProcessConnector implements RpcConnector {
  private final InProcessNetwork network;
  private final RpcConnectorConfig config;
  private final Supplier<String> nonces;
  private final ConnectionContext context;
  private volatile boolean closed;

  InProcessConnector(InProcessNetwork network, RpcConnectorConfig config, Supplier<String> nonces) {
    this.network = network;
    this.config = config;
    this.nonces = nonces;
    this.context = network.context(config.limits());
  }

  @Override
  public CompletableFuture<Session> connect(String address, RequestHandler handler) {
    InProcessServer server = closed ? null : network.find(config.nodeId(), address);
    if (server == null) {
      String why = closed ? "this connector is closed" : "no tracker listens there";
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.UNAVAILABLE, "cannot connect to a tracker at " + address + ": " + why));
    }
    CompletableFuture<Session> result = new CompletableFuture<>();
    InProcessLink link = new InProcessLink(network, this, config.nodeId(), address);
    network.remember(link);
    link.open(server::accept, end -> call(end, address, handler, result));
    return result;
  }

  private void call(
      InProcessEnd end, String address, RequestHandler handler, CompletableFuture<Session> result) {
    Connection connection = new Connection(end, context, handler);
    end.attach(connection);
    new CallerHandshake(connection, context.messages(), config, nonces.get(), address, result)
        .start();
  }

  @Override
  public void close() {
    closed = true;
    network.cut(link -> link.isOpenedBy(this), "closed by the caller");
  }
}
