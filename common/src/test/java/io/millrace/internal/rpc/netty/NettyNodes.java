package io.millrace.internal.rpc.netty;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcCounts;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ScriptedHandler;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A tracker and callers over TCP on this machine; closes all of them. */
public final class NettyNodes implements AutoCloseable {
  public static final Token CLIENT_TOKEN = Token.of("client-token-of-the-tests");
  public static final Token WORKER_TOKEN = Token.of("worker-token-of-the-tests");
  public static final RoleTokens TOKENS = new RoleTokens(CLIENT_TOKEN, WORKER_TOKEN);
  static final Duration SOON = Duration.ofSeconds(10);

  final ScriptedHandler tracker = new ScriptedHandler();
  public final ScriptedHandler caller = new ScriptedHandler();
  final Queue<Session> sessions = new ConcurrentLinkedQueue<>();
  private final WheelTimer timer = new WheelTimer("rpc-test-wheel");
  private final SystemClock clock = new SystemClock();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  WheelTimer timer() {
    return timer;
  }

  /** Starts a tracker and returns its address. */
  String serve(RpcServerConfig config) {
    return start(config).address();
  }

  /** A tracker that was started, and what it counts. */
  record Served(String address, RpcCounts counts) {}

  /** Starts a tracker. */
  Served start(RpcServerConfig config) {
    NettyRpcServer server = new NettyRpcServer(config, "tracker-1", timer, clock, 1);
    open.push(server);
    return new Served(server.start(tracker, sessions::add), server.counts());
  }

  /** Closes every tracker there is. */
  void stopServing() {
    open.stream()
        .filter(NettyRpcServer.class::isInstance)
        .map(NettyRpcServer.class::cast)
        .forEach(NettyRpcServer::close);
  }

  public NettyRpcConnector connector(RpcConnectorConfig config) {
    NettyRpcConnector connector = new NettyRpcConnector(config, timer, clock, 1);
    open.push(connector);
    return connector;
  }

  Session connect(String address, NodeRole role, @Nullable Token token) {
    return connect(address, RpcConnectorConfig.of(role, "node-1", "orders", token));
  }

  Session connect(String address, RpcConnectorConfig config) {
    return get(connector(config).connect(address, caller));
  }

  public static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  @Override
  public void close() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
    timer.close();
  }
}
