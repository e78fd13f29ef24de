package io.millrace.jobtracker.faults;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * A wire to a MySQL server that breaks at the next commit of something written. It knows as much of
 * the protocol as it takes to see a commit: packets, and the text of a query. Thread-safe.
 */
final class CommitCutter implements AutoCloseable {

  /** Where the wire breaks. */
  enum Cut {
    NONE,
    /** The commit never arrives: the server finds the connection closed, and rolls back. */
    BEFORE_THE_COMMIT,
    /** The commit takes effect, and its answer never arrives. */
    BEFORE_THE_ANSWER,
    /** The commit is on its way until {@link #deliver}; meanwhile the transaction lives on. */
    COMMIT_ARRIVES_LATER
  }

  private static final Pattern WRITE =
      Pattern.compile("\\s*(INSERT|UPDATE|DELETE)\\b.*", Pattern.DOTALL);
  private static final byte QUERY = 3;

  private final InetSocketAddress server;
  private final ServerSocket listening;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NONE);
  private final CompletableFuture<Void> delivery = new CompletableFuture<>();

  CommitCutter(String host, int port) throws IOException {
    this.server = new InetSocketAddress(host, port);
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** The next commit of something written, on any connection, is cut. */
  void cutNext(Cut how) {
    next.set(how);
  }

  /** Whether the cut that was asked for has been made. */
  boolean hasCut() {
    return next.get() == Cut.NONE;
  }

  /** Lets a commit arrive that was on its way. */
  void deliver() {
    delivery.complete(null);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Wire wire = new Wire(client, new Socket(server.getAddress(), server.getPort()));
        threads.execute(wire::carryQueries);
        threads.execute(wire::carryAnswers);
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private final class Wire {
    private final Socket client;
    private final Socket server;
    private volatile boolean mute;

    Wire(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void carryQueries() {
      boolean written = false;
      try {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = server.getOutputStream();
        while (true) {
          byte[] packet = packet(in);
          String query = query(packet);
          written |= WRITE.matcher(query).matches();
          if (query.equalsIgnoreCase("commit") && written) {
            Cut cut = next.getAndSet(Cut.NONE);
            if (cut != Cut.NONE) {
              cut(cut, packet, out);
              return;
            }
          }
          written &= !query.equalsIgnoreCase("commit") && !query.equalsIgnoreCase("rollback");
          out.write(packet);
        }
      } catch (IOException broken) {
        close();
      }
    }

    private void cut(Cut cut, byte[] packet, OutputStream out) throws IOException {
      switch (cut) {
        case BEFORE_THE_COMMIT -> close();
        case BEFORE_THE_ANSWER -> {
          mute = true;
          out.write(packet);
        }
        case COMMIT_ARRIVES_LATER -> {
          mute = true;
          client.close();
          delivery.join();
          out.write(packet);
        }
        case NONE -> throw new IllegalStateException("nothing to cut");
      }
    }

    void carryAnswers() {
      byte[] buffer = new byte[1 << 16];
      try {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int read = in.read(buffer); read >= 0 && !mute; read = in.read(buffer)) {
          out.write(buffer, 0, read);
        }
      } catch (IOException broken) {
        // Closed below, as if it had ended.
      }
      close();
    }

    private void close() {
      try {
        client.close();
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static byte[] packet(DataInputStream in) throws IOException {
    byte[] header = in.readNBytes(4);
    if (header.length < 4) {
      throw new IOException("the connection has ended");
    }
    int length = (header[0] & 0xFF) | (header[1] & 0xFF) << 8 | (header[2] & 0xFF) << 16;
    byte[] packet = new byte[4 + length];
    System.arraycopy(header, 0, packet, 0, 4);
    in.readFully(packet, 4, length);
    return packet;
  }

  private static String query(byte[] packet) {
    if (packet.length <= 5 || packet[4] != QUERY) {
      return "";
    }
    int text = hasAttributes(packet) ? 7 : 5;
    return new String(packet, text, packet.length - text, StandardCharsets.UTF_8).strip();
  }

  /** A server that takes attributes of queries is told first that there are none, in one set. */
  private static boolean hasAttributes(byte[] packet) {
    return packet.length > 7 && packet[5] == 0 && packet[6] == 1;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    deliver();
    threads.shutdownNow();
  }
}
