package io.millrace.torture.attack;

import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.RequestType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Attacks on the nodes' port, with and without a token. */
final class WireAttacks {
  private static final int MAX_FRAME = 8 << 20;
  private static final byte[] EMPTY = {'{', '}'};

  private WireAttacks() {}

  static void slowReaders(Target target, Deadline deadline) throws Exception {
    byte[] batch = new byte[1_000 * (FrameCodec.HEADER_BYTES + EMPTY.length)];
    byte[] ping = WirePeer.frame(RequestType.PING.code(), 1_000_000, EMPTY);
    for (int at = 0; at < batch.length; at += ping.length) {
      System.arraycopy(ping, 0, batch, at, ping.length);
    }
    Threads.run(
        12,
        number -> {
          try (WirePeer peer =
              WirePeer.signedIn(target, NodeRole.CLIENT, "slow-" + number, "slow")) {
            for (long sent = 0; deadline.pace(sent, 20); sent++) {
              peer.send(batch);
            }
          }
        },
        deadline);
  }

  static void incompleteFrames(Target target, Deadline deadline) throws Exception {
    byte[] frame = WirePeer.frame(RequestType.SUBMIT.code(), 5, new byte[MAX_FRAME - 100]);
    byte[] most = Arrays.copyOf(frame, frame.length - 200);
    try (Held held = new Held()) {
      for (int i = 0; i < 150 && deadline.pace(i, 20); i++) {
        String name = "half-" + i;
        held.attempt(
            () -> {
              WirePeer peer = WirePeer.signedIn(target, NodeRole.CLIENT, name, "half");
              held.add(peer);
              peer.send(most);
            });
      }
      deadline.hold();
    }
  }

  static void badFrames(Target target, Deadline deadline) throws Exception {
    byte[] other = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    knock(target, deadline, 300, other);
  }

  static void hugeNumbers(Target target, Deadline deadline) throws Exception {
    String hello =
        "{\"minVersion\":1e99999,\"maxVersion\":1,\"role\":\"WORKER\",\"nodeId\":\"f\","
            + "\"group\":\"g\",\"nonce\":\"00000000000000000000000000000000\"}";
    knock(
        target,
        deadline,
        300,
        WirePeer.frame(RequestType.HELLO.code(), 1, hello.getBytes(StandardCharsets.US_ASCII)));
  }

  private static void knock(Target target, Deadline deadline, int perSecond, byte[] bytes)
      throws Exception {
    try (Held held = new Held()) {
      for (long i = 0; deadline.pace(i, perSecond); i++) {
        held.attempt(
            () -> {
              try (WirePeer peer = new WirePeer(target)) {
                peer.send(bytes);
              }
            });
      }
    }
  }

  static void wrongProofs(Target target, Deadline deadline) throws Exception {
    try (Held held = new Held()) {
      for (long i = 0; deadline.pace(i, 200); i++) {
        held.attempt(
            () -> {
              WirePeer peer = new WirePeer(target);
              held.add(peer);
              peer.ask(
                  new Hello(
                      1, 1, NodeRole.CLIENT, "guess", "g", "0123456789abcdef0123456789abcdef"));
              peer.send(new Authenticate("00"));
            });
      }
    }
  }

  static void silentStrangers(Target target, Deadline deadline) throws Exception {
    try (Held held = new Held()) {
      for (int i = 0; i < 3_000 && deadline.pace(i, 1_000); i++) {
        held.attempt(() -> held.add(new WirePeer(target)));
      }
      deadline.hold();
    }
  }

  /** The open connections of an attack; connections closed by the tracker are not failures. */
  static final class Held implements AutoCloseable {
    private static final int MOST = 4_000;

    private final List<AutoCloseable> open = new ArrayList<>();

    interface Step {
      void run() throws IOException;
    }

    void attempt(Step step) {
      try {
        step.run();
      } catch (IOException cut) {
        return;
      }
    }

    void add(AutoCloseable connection) throws IOException {
      open.add(connection);
      if (open.size() > MOST) {
        closeQuietly(open.remove(0));
      }
    }

    private static void closeQuietly(AutoCloseable connection) throws IOException {
      try {
        connection.close();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      for (AutoCloseable connection : open) {
        closeQuietly(connection);
      }
    }
  }
}
