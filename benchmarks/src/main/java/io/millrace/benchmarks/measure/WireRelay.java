package io.millrace.benchmarks.measure;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Forwards every connection to another port of this machine and counts the bytes of both
 * directions. Thread-safe.
 */
public final class WireRelay implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final LongAdder bytes = new LongAdder();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ServerSocket door;
  private final int targetPort;

  private WireRelay(ServerSocket door, int targetPort) {
    this.door = door;
    this.targetPort = targetPort;
  }

  /** Opens a relay and reserves a port for its target. */
  public static WireRelay open() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
      WireRelay relay = new WireRelay(new ServerSocket(0, 50, loopback), free.getLocalPort());
      relay.start(relay::accept);
      return relay;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(Runnable body) {
    Thread thread = new Thread(body, "bench-relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket caller = door.accept();
        sockets.add(caller);
        Socket target = new Socket(InetAddress.getLoopbackAddress(), targetPort);
        sockets.add(target);
        caller.setTcpNoDelay(true);
        target.setTcpNoDelay(true);
        start(() -> copy(caller, target));
        start(() -> copy(target, caller));
      }
    } catch (IOException closed) {
      // No further connections are accepted, or the target does not listen.
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
        bytes.add(count);
      }
    } catch (IOException ended) {
      // One end has closed; the other end is closed next.
    }
  }

  /** Returns the port to connect to instead of the target's. */
  public int port() {
    return door.getLocalPort();
  }

  /** Returns the port on which the target must listen. */
  public int targetPort() {
    return targetPort;
  }

  /** Returns the number of bytes forwarded so far. */
  public long bytes() {
    return bytes.sum();
  }

  @Override
  public void close() {
    closeQuietly(door);
    sockets.forEach(WireRelay::closeQuietly);
  }

  private static void closeQuietly(Closeable socket) {
    try {
      socket.close();
    } catch (IOException broken) {
      // The socket is no longer in use, which is the purpose of a close.
    }
  }
}
