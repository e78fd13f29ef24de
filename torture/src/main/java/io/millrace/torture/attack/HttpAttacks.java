package io.millrace.torture.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Attacks on the operators' port that need no token. */
final class HttpAttacks {
  private static final int TIMEOUT_MILLIS = 5_000;

  private HttpAttacks() {}

  static void halfSignIns(Target target, Deadline deadline) throws Exception {
    int announced = 4 << 20;
    byte[] head =
        ("POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: "
                + announced
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] body = " ".repeat(announced - 100).getBytes(StandardCharsets.US_ASCII);
    open(target, deadline, 130, 50, head, body);
  }

  static void silentBrowsers(Target target, Deadline deadline) throws Exception {
    open(target, deadline, 2_000, 1_000);
  }

  static void healthWatchers(Target target, Deadline deadline) throws Exception {
    byte[] request =
        "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    open(target, deadline, 600, 200, request);
  }

  /** Sends the HTTP/2 preface, settings, and request headers without bodies. */
  static void cleartextHttp2(Target target, Deadline deadline) throws Exception {
    byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    byte[] settings = HexFormat.of().parseHex("000000040000000000");
    byte[] heads = HexFormat.of().parseHex("00000301040000000182" + "8684");
    open(target, deadline, 100, 100, preface, settings, heads);
  }

  private static void open(
      Target target, Deadline deadline, int count, int perSecond, byte[]... parts)
      throws IOException {
    try (WireAttacks.Held held = new WireAttacks.Held()) {
      for (int i = 0; i < count && deadline.pace(i, perSecond); i++) {
        held.attempt(
            () -> {
              Socket socket = new Socket();
              held.add(socket);
              socket.connect(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), target.httpPort()),
                  TIMEOUT_MILLIS);
              for (byte[] part : parts) {
                socket.getOutputStream().write(part);
              }
            });
      }
      deadline.hold();
    }
  }
}
