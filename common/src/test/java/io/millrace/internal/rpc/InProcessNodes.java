package io.millrace.internal.rpc;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.rpc.netty.NettyNodes;
import io.millrace.internal.rpc.tracker.TrackerConnection;
import io.millrace.internal.rpc.tracker.TrackerConnectionConfig;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** An in-process network on a clock that stands still, and what happened on it. */
public final class InProcessNodes {
  public static final Duration SECOND = Duration.ofSeconds(1);

  public final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  public final ManualTimer timer = new ManualTimer(clock);
  public final InProcessNetwork network;
  public final ScriptedHandler tracker = new ScriptedHandler();
  public final ScriptedHandler caller = new ScriptedHandler();
  public final List<Session> sessions = new ArrayList<>();

  public InProcessNodes(long seed) {
    network = new InProcessNetwork(timer, Runnable::run, clock, seed);
  }

  public RpcServer serve(String address) {
    RpcServer server = network.server(address, "id of " + address, NettyNodes.TOKENS);
    server.start(tracker, sessions::add);
    return server;
  }

  public CompletableFuture<Session> connect(String nodeId, String address) {
    return connector(nodeId, NettyNodes.CLIENT_TOKEN).connect(address, caller);
  }

  public RpcConnector connector(String nodeId, Token token) {
    return network.connector(RpcConnectorConfig.of(NodeRole.CLIENT, nodeId, "shop", token));
  }

  public TrackerConnection trackerConnection(RpcConnector connector, String... addresses) {
    return new TrackerConnection(
        connector,
        caller,
        TrackerConnectionConfig.of(List.of(addresses)),
        timer,
        Runnable::run,
        new Random(1));
  }

  public static CancelRequest cancel(String taskId) {
    return new CancelRequest("orders", taskId);
  }
}
