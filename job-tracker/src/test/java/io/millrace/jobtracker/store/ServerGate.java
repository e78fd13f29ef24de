package io.millrace.jobtracker.store;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A port before a MySQL server, which can be shut as if the server had died, and which answers a
 * command in the server's place with an error. Thread-safe.
 */
final class ServerGate implements AutoCloseable {

  /** Commands of the protocol, by their first byte. */
  enum Command {
    QUERY(0x03),
    PREPARE(0x16);

    private final int code;

    Command(int code) {
      this.code = code;
    }
  }

  /**
   * What the next command of a kind is answered with.
   *
   * @param text that the command must contain
   */
  record Refusal(Command command, String text, int code, String state, String message) {
    /** The first packet of a command has the number 0. */
    boolean isOf(byte[] packet) {
      return packet.length > 4
          && packet[3] == 0
          && packet[4] == command.code
          && new String(packet, 5, packet.length - 5, StandardCharsets.UTF_8).contains(text);
    }

    byte[] packet() {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] text = ("#" + state + message).getBytes(StandardCharsets.UTF_8);
      int length = 3 + text.length;
      out.writeBytes(new byte[] {(byte) length, (byte) (length >> 8), 0, 1});
      out.writeBytes(new byte[] {(byte) 0xFF, (byte) code, (byte) (code >> 8)});
      out.writeBytes(text);
      return out.toByteArray();
    }
  }

  private final int serverPort;
  private final int port;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Refusal> next = new AtomicReference<>();
  private final AtomicInteger connections = new AtomicInteger();
  private ServerSocket listening;

  /** An open one. */
  ServerGate(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listening = listen(0);
    this.port = listening.getLocalPort();
  }

  int port() {
    return port;
  }

  /** How many connections have come through it. */
  int connections() {
    return connections.get();
  }

  /** The next such command, on any connection, does not reach the server. */
  void refuseNext(Refusal refusal) {
    next.set(refusal);
  }

  /** Whether the refusal that was asked for has been given. */
  boolean hasRefused() {
    return next.get() == null;
  }

  /** Breaks all connections and refuses new ones. */
  synchronized void shut() {
    close(listening);
    sockets.forEach(ServerGate::close);
    sockets.clear();
  }

  synchronized void open() throws IOException {
    listening = listen(port);
  }

  private ServerSocket listen(int at) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
    threads.execute(() -> accept(socket));
    return socket;
  }

  private void accept(ServerSocket from) {
    try {
      while (true) {
        carry(from.accept(), from);
      }
    } catch (IOException shut) {
      // Shut, or the test is over.
    }
  }

  /** A caller that came in before the gate was shut does not get through after it. */
  private synchronized void carry(Socket client, ServerSocket through) throws IOException {
    if (through.isClosed()) {
      close(client);
      return;
    }
    Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
    sockets.add(client);
    sockets.add(server);
    connections.incrementAndGet();
    threads.execute(() -> carryCommands(client, server));
    threads.execute(() -> carryAnswers(client, server));
  }

  private void carryCommands(Socket client, Socket server) {
    try {
      DataInputStream in = new DataInputStream(client.getInputStream());
      OutputStream toServer = server.getOutputStream();
      for (byte[] packet = packet(in); packet.length > 0; packet = packet(in)) {
        Refusal refusal = next.get();
        if (refusal != null && refusal.isOf(packet)) {
          next.set(null);
          client.getOutputStream().write(refusal.packet());
        } else {
          toServer.write(packet);
        }
      }
    } catch (IOException broken) {
      // Closed below, as if it had ended.
    }
    close(client);
    close(server);
  }

  private static void carryAnswers(Socket client, Socket server) {
    try {
      InputStream in = server.getInputStream();
      in.transferTo(client.getOutputStream());
    } catch (IOException broken) {
      // Closed below, as if it had ended.
    }
    close(client);
    close(server);
  }

  /** Empty at the end. */
  private static byte[] packet(DataInputStream in) throws IOException {
    byte[] header = in.readNBytes(4);
    if (header.length < 4) {
      return new byte[0];
    }
    int length = (header[0] & 0xFF) | (header[1] & 0xFF) << 8 | (header[2] & 0xFF) << 16;
    byte[] packet = new byte[4 + length];
    System.arraycopy(header, 0, packet, 0, 4);
    in.readFully(packet, 4, length);
    return packet;
  }

  private static void close(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    shut();
    threads.shutdownNow();
  }
}
