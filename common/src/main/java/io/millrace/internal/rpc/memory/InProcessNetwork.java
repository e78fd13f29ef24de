package io.millrace.internal.rpc.memory;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.lifecycle.SerialExecutor;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.connection.ConnectionContext;
import io.millrace.internal.rpc.connection.Nonces;
import io.millrace.internal.rpc.connection.TrackerIdentity;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A network inside one process, for driving trackers, workers and clients by hand. All code above
 * the transport is the same as over TCP: messages are encoded and decoded, handshakes and role
 * checks run, time-outs expire. The network has no threads: it uses the given executor and timer.
 * On one thread, with equal seeds and equal calls, everything happens in the same order.
 * Thread-safe.
 */
public final class InProcessNetwork {
  private final Timer timer;
  private final Executor executor;
  private final Clock clock;
  private final Random random;
  private final Nonces nonces;
  private final Map<String, InProcessServer> servers = new HashMap<>();
  private final Set<InProcessLink> links = new LinkedHashSet<>();
  private DeliveryPolicy policy = DeliveryPolicy.RELIABLE;

  /**
   * Makes a network that delivers everything at once.
   *
   * @param timer schedules delays and time-outs
   * @param executor runs the tasks of both ends of each connection
   * @param seed of every random decision
   */
  public InProcessNetwork(Timer timer, Executor executor, Clock clock, long seed) {
    this.timer = timer;
    this.executor = executor;
    this.clock = clock;
    this.random = new Random(seed);
    this.nonces = new Nonces(new Random(seed));
  }

  /** Sets the policy for all later messages and new connections. */
  public synchronized void setPolicy(DeliveryPolicy newPolicy) {
    policy = newPolicy;
  }

  /**
   * A server that callers reach at this address once it is started.
   *
   * @param address any text; unlike on a real network, it need not be host:port
   */
  public RpcServer server(String address, String trackerId, RoleTokens tokens) {
    return new InProcessServer(this, address, new TrackerIdentity(trackerId, tokens, nonces));
  }

  /** A connector for one node. TLS is not used, even if it is configured. */
  public RpcConnector connector(RpcConnectorConfig config) {
    return new InProcessConnector(this, config, nonces);
  }

  /** Closes every connection of this tracker address or caller's node id, as a cut cable would. */
  public void cut(String addressOrNodeId) {
    cut(link -> link.joins(addressOrNodeId), "cut by the network");
  }

  void cut(Predicate<InProcessLink> which, String reason) {
    List<InProcessLink> found;
    synchronized (this) {
      found = links.stream().filter(which).toList();
    }
    found.forEach(link -> link.cut(reason));
  }

  /** Makes a server reachable; returns false if another server has the address. */
  synchronized boolean register(String address, InProcessServer server) {
    return servers.putIfAbsent(address, server) == null;
  }

  synchronized boolean deregister(String address, InProcessServer server) {
    return servers.remove(address, server);
  }

  /** The server that a node reaches at this address, or null if there is none. */
  synchronized @Nullable InProcessServer find(String nodeId, String address) {
    return policy.connects(nodeId, address) ? servers.get(address) : null;
  }

  synchronized SimulatedDelivery decide(String from, String to, Frame frame) {
    RequestType type = RequestType.ofCode(frame.type());
    return policy.decide(new SimulatedFrame(from, to, frame.kind(), type), random);
  }

  synchronized void remember(InProcessLink link) {
    links.add(link);
  }

  synchronized void forget(InProcessLink link) {
    links.remove(link);
  }

  void schedule(Duration delay, Executor receiver, Runnable arrival) {
    timer.schedule(delay, receiver, arrival);
  }

  long nanoTime() {
    return clock.nanoTime();
  }

  Executor newSerialExecutor() {
    return new SerialExecutor("rpc", executor);
  }

  ConnectionContext context(ConnectionLimits limits) {
    return ConnectionContext.ofCaller(limits, timer, clock);
  }
}
