package io.millrace.torture.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends back what it is sent, and counts how many bytes that were. */
final class EchoServer implements AutoCloseable {
  private final ServerSocket socket;
  private final AtomicInteger received = new AtomicInteger();

  EchoServer() throws IOException {
    socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "test-echo");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return socket.getLocalPort();
  }

  int received() {
    return received.get();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket caller = socket.accept();
        start(() -> echo(caller));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void echo(Socket caller) {
    try (caller) {
      for (int b = caller.getInputStream().read(); b >= 0; b = caller.getInputStream().read()) {
        received.incrementAndGet();
        caller.getOutputStream().write(b);
      }
    } catch (IOException broken) {
      return;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
