package io.millrace.torture.network;

import io.millrace.common.lifecycle.NamedThreads;
import io.millrace.common.rpc.HostPort;
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
 * A port of the loopback address that passes what comes on to another, until it is told otherwise:
 * to refuse everybody, to swallow or to hold bytes, or to be slow. Closing it cuts it for good.
 * Thread-safe.
 *
 * <p>The two ends of a connection of which bytes were swallowed would misunderstand each other ever
 * after. So {@link #restore} closes it, as a firewall does that has forgotten it.
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
   * Starts one that forwards. The target need not listen yet.
   *
   * @param port where to listen, now and after every cut; one that the system gives to outgoing
   *     connections may be taken by one meanwhile
   * @throws UncheckedIOException if the port is taken
   */
  public static TcpProxy start(int port, HostPort target) {
    TcpProxy proxy = new TcpProxy(port, target);
    proxy.listen();
    return proxy;
  }

  /** Where it listens. */
  public HostPort address() {
    return new HostPort("127.0.0.1", port);
  }

  /** What it passes everything on to. */
  public HostPort target() {
    return target;
  }

  /** Connections that are open now, also those that carry nothing. */
  public int connections() {
    return relays.size();
  }

  /** Closes all connections and refuses new ones. */
  public synchronized void cut() {
    stopListening();
    closeWhere(relay -> true);
  }

  /** Bytes that go these ways disappear, and connections stay open: both ways if none is named. */
  public void blackHole(Direction... directions) {
    setFlow(Flow.SWALLOW, directions);
  }

  /** Bytes that go these ways arrive when the wire is restored, and not before. */
  public void hold(Direction... directions) {
    setFlow(Flow.HOLD, directions);
  }

  /** What is read waits this long before it is passed on; both ways. */
  public void delay(Duration delay) {
    setFlow(Flow.delayed(delay));
  }

  /** Passes everything on again, and lets everybody in. */
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

  /** The system lets callers in until the thread that accepts them has let go of the socket. */
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

  /** Where nobody listens, the system may give a connection the very port that it leads to. */
  private static void requireAnother(Socket onward) throws IOException {
    if (onward.getLocalPort() == onward.getPort()) {
      throw new ConnectException("connected to itself");
    }
  }

  /** A caller that came in before a cut does not get through after it. */
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
