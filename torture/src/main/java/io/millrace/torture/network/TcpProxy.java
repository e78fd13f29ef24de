package io.millrace.torture.network;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.rpc.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy on a loopback port that forwards connections until it is configured to refuse
 * connections, to discard or hold bytes, or to delay them. Closing the proxy cuts it permanently.
 * Thread-safe.
 *
 * <p>The two ends of a connection that has lost bytes would permanently misinterpret each other's
 * data. Therefore {@link #restore} closes it, as a firewall does that has lost the connection's
 * state.
 */
public final class TcpProxy implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final int CONNECT_MILLIS = 5_000;

  private final int port;
  private final HostPort target;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(NamedThreads.daemon("torture-proxy"));
  private final Set<Relay> relays = ConcurrentHashMap.newKeySet();
  private final Wire wire = new Wire();
  private @Nullable ServerSocket listener;
  private CompletableFuture<Void> accepting = CompletableFuture.completedFuture(null);
  private boolean closed;

  private TcpProxy(int port, HostPort target) {
    this.port = port;
    this.target = target;
  }

  /**
   * Starts a forwarding proxy. The target need not listen yet.
   *
   * @param port the port on which it listens, now and after every cut; during a cut, an outgoing
   *     connection may take an ephemeral port
   * @throws UncheckedIOException if the port is taken
   */
  public static TcpProxy start(int port, HostPort target) {
    TcpProxy proxy = new TcpProxy(port, target);
    proxy.listen();
    return proxy;
  }

  /** Returns the address on which it listens. */
  public HostPort address() {
    return new HostPort("127.0.0.1", port);
  }

  /** Returns the address to which it forwards. */
  public HostPort target() {
    return target;
  }

  /** Returns the number of open connections, including those that currently deliver nothing. */
  public int connections() {
    return relays.size();
  }

  /** Closes all connections and refuses new ones. */
  public synchronized void cut() {
    stopListening();
    closeWhere(relay -> true);
  }

  /**
   * Discards bytes of these directions while connections stay open; both directions if none is
   * given.
   */
  public void blackHole(Direction... directions) {
    setFlow(Flow.SWALLOW, directions);
  }

  /** Holds bytes of these directions until the wire is restored. */
  public void hold(Direction... directions) {
    setFlow(Flow.HOLD, directions);
  }

  /** Delays data of both directions by this duration. */
  public void delay(Duration delay) {
    setFlow(Flow.delayed(delay));
  }

  /** Forwards everything and accepts connections again. */
  public synchronized void restore() {
    closeWhere(Relay::hasLostBytes);
    setFlow(Flow.FORWARD);
    closeWhere(Relay::hasLostBytes);
    listen();
  }

  private void setFlow(Flow flow, Direction... directions) {
    for (Direction direction : directions.length == 0 ? Direction.values() : directions) {
      wire.set(direction, flow);
    }
  }

  private void closeWhere(Predicate<Relay> which) {
    List.copyOf(relays).stream().filter(which).forEach(Relay::close);
  }

  private synchronized void listen() {
    if (closed || listener != null) {
      return;
    }
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
      listener = socket;
      accepting = CompletableFuture.runAsync(() -> accept(socket), threads);
    } catch (IOException e) {
      throw new UncheckedIOException("the proxy before " + target + " cannot listen at " + port, e);
    }
  }

  /**
   * Stops listening. The system accepts connections until the accepting thread has left the socket.
   */
  private synchronized void stopListening() {
    ServerSocket socket = listener;
    listener = null;
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      accepting.join();
    }
  }

  private void accept(ServerSocket socket) {
    while (true) {
      Socket caller;
      try {
        caller = socket.accept();
      } catch (IOException listensNoMore) {
        return;
      }
      threads.execute(() -> connect(caller, socket));
    }
  }

  private void connect(Socket caller, ServerSocket through) {
    Socket onward = new Socket();
    try {
      caller.setTcpNoDelay(true);
      onward.setTcpNoDelay(true);
      onward.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MILLIS);
      requireAnother(onward);
    } catch (IOException unreachable) {
      Relay.closeQuietly(caller);
      Relay.closeQuietly(onward);
      return;
    }
    relay(caller, onward, through);
  }

  /**
   * Throws if the connection leads to itself: if no process listens on a port, the system may
   * assign this port to the connection.
   */
  private static void requireAnother(Socket onward) throws IOException {
    if (onward.getLocalPort() == onward.getPort()) {
      throw new ConnectException("connected to itself");
    }
  }

  /** Starts forwarding a connection, unless the proxy was cut after it accepted the connection. */
  private synchronized void relay(Socket caller, Socket onward, ServerSocket through) {
    if (listener != through) {
      Relay.closeQuietly(caller);
      Relay.closeQuietly(onward);
      return;
    }
    Relay[] self = new Relay[1];
    Relay relay = new Relay(caller, onward, wire, () -> relays.remove(self[0]));
    self[0] = relay;
    relays.add(relay);
    relay.start(threads);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      wire.close();
      cut();
    }
    threads.shutdown();
    try {
      boolean unused = threads.awaitTermination(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "proxy at " + address() + " before " + target;
  }
}
