package io.millrace.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A connection of a peer that sends any bytes, and reads the answers or does not. */
final class RawConnection implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Socket socket;

  RawConnection(RunningConsole console) throws IOException {
    URI url = URI.create(console.url());
    socket = new Socket(url.getHost(), url.getPort());
    socket.setSoTimeout((int) PATIENCE.toMillis());
  }

  /**
   * An answer as it came.
   *
   * @param head the status line and the headers, in lower case
   */
  record Heard(int status, String head, String body) {}

  RawConnection say(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  RawConnection say(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** Reads one answer. */
  Heard hear() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed after: " + head.toString(StandardCharsets.ISO_8859_1));
      }
      head.write(next);
    }
    String text = head.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    int length =
        text.lines()
            .filter(line -> line.startsWith("content-length:"))
            .map(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Heard(Integer.parseInt(text.substring(9, 12)), text, body);
  }

  /** Whether something can be read by now. */
  boolean isAnswered() {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the other end has closed, and throws away what comes before; returns how much. */
  long bytesUntilClosed() throws IOException {
    long bytes = 0;
    try {
      byte[] some = new byte[64 << 10];
      for (int read = 0; read >= 0; read = socket.getInputStream().read(some)) {
        bytes += read;
      }
    } catch (SocketTimeoutException e) {
      throw new IOException("still open after " + PATIENCE + " and " + bytes + " bytes", e);
    } catch (SocketException reset) {
      return bytes;
    }
    return bytes;
  }

  /** Reads chunks until the one that is the last. */
  String streamUntilItsEnd() throws IOException {
    return streamUntil("\r\n0\r\n\r\n");
  }

  /** Reads up to these words, or to the end of the connection; a stream may never be silent. */
  String streamUntil(String words) throws IOException {
    long begun = System.nanoTime();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (!text.toString(StandardCharsets.UTF_8).endsWith(words)) {
      if (System.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new IOException(
            "still open after " + PATIENCE + " and this: " + text.toString(StandardCharsets.UTF_8));
      }
      int next = socket.getInputStream().read();
      if (next < 0) {
        break;
      }
      text.write(next);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  /** Whether the other end has closed by now. */
  boolean isClosed() throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (SocketException reset) {
      return true;
    } finally {
      socket.setSoTimeout((int) PATIENCE.toMillis());
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
