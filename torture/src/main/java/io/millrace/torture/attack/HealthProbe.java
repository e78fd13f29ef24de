package io.millrace.torture.attack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests the tracker's health every half second, over a new connection, as a health prober does.
 */
final class HealthProbe implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 2_000;

  private final Target target;
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(4);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();

  HealthProbe(Target target) {
    this.target = target;
  }

  void start() {
    clock.scheduleAtFixedRate(() -> clock.execute(this::askOnce), 0, 500, TimeUnit.MILLISECONDS);
  }

  private void askOnce() {
    boolean lives = lives();
    asked.incrementAndGet();
    if (lives) {
      answered.incrementAndGet();
    }
  }

  private boolean lives() {
    try {
      return get(target, "/health/live", "").startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false;
    }
  }

  /** Sends one request, with this token unless it is empty; returns the complete response. */
  static String get(Target target, String path, String token) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), target.httpPort()),
          TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      String credentials = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
      socket
          .getOutputStream()
          .write(
              ("GET "
                      + path
                      + " HTTP/1.1\r\nHost: localhost\r\n"
                      + credentials
                      + "Connection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      StringBuilder answer = new StringBuilder();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        answer.append(line).append('\n');
      }
      return answer.toString();
    }
  }

  /** Returns the number of probes since the last call, and how many of them succeeded. */
  Probes take() {
    return new Probes(asked.getAndSet(0), answered.getAndSet(0));
  }

  record Probes(int asked, int answered) {}

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
