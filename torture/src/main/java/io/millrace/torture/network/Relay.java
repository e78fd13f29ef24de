package io.millrace.torture.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One connection through a proxy: two sockets, and a thread for each direction. Ends when both
 * directions have ended, or when one fails. Thread-safe.
 */
final class Relay {
  private static final int BUFFER_BYTES = 1 << 14;

  private final Socket caller;
  private final Socket target;
  private final Wire wire;
  private final Runnable onEnd;
  private final AtomicInteger openDirections = new AtomicInteger(Direction.values().length);
  private volatile boolean hasLostBytes;

  Relay(Socket caller, Socket target, Wire wire, Runnable onEnd) {
    this.caller = caller;
    this.target = target;
    this.wire = wire;
    this.onEnd = onEnd;
  }

  void start(Executor threads) {
    threads.execute(() -> carry(Direction.TO_TARGET, caller, target));
    threads.execute(() -> carry(Direction.FROM_TARGET, target, caller));
  }

  /**
   * Returns whether bytes were lost, so that the two ends disagree and the connection must not
   * continue.
   */
  boolean hasLostBytes() {
    return hasLostBytes;
  }

  private void carry(Direction direction, Socket from, Socket to) {
    try {
      copy(direction, from.getInputStream(), to.getOutputStream());
      wire.awaitLight(direction);
      to.shutdownOutput();
      if (openDirections.decrementAndGet() == 0) {
        close();
      }
    } catch (IOException broken) {
      passOn(direction);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      close();
    }
  }

  private void copy(Direction direction, InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      Flow flow = wire.flow(direction);
      if (!flow.delay().isZero()) {
        Thread.sleep(flow.delay().toMillis());
      }
      wire.awaitRelease(direction);
      if (wire.flow(direction).kind() == Flow.Kind.SWALLOW) {
        lose(direction);
      } else {
        out.write(buffer, 0, count);
      }
    }
  }

  private void lose(Direction direction) throws IOException {
    hasLostBytes = true;
    if (wire.flow(direction).kind() != Flow.Kind.SWALLOW) {
      // A thread that restored the wire meanwhile may have checked for lost bytes too early.
      throw new IOException("bytes were lost");
    }
  }

  /** Passes the failure of one end on to the other, as soon as the wire delivers data again. */
  private void passOn(Direction direction) {
    try {
      wire.awaitLight(direction);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  void close() {
    closeQuietly(caller);
    closeQuietly(target);
    onEnd.run();
  }

  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      // The socket is no longer in use, which is the purpose of a close.
    }
  }
}
