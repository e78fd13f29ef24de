package io.millrace.torture.attack;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A peer that implements docs/wire-protocol.md but may violate its rules. */
final class WirePeer implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int MAX_ATTEMPTS = 50;
  private static final String NONCE = "0123456789abcdef0123456789abcdef";
  private static final JsonCodec CODEC = new JsonCodec();

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private long lastId;

  /** Connects without sending anything. */
  WirePeer(Target target) throws IOException {
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), target.rpcPort()), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  /** Connects and proves the token; retries while other peers exhaust the connections. */
  static WirePeer signedIn(Target target, NodeRole role, String nodeId, String group)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return signInOnce(target, role, nodeId, group);
      } catch (IOException e) {
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static WirePeer signInOnce(Target target, NodeRole role, String nodeId, String group)
      throws IOException {
    WirePeer peer = new WirePeer(target);
    try {
      String token = role == NodeRole.CLIENT ? Target.CLIENT_TOKEN : Target.WORKER_TOKEN;
      Hello hello = new Hello(1, 1, role, nodeId, group, NONCE);
      HelloReply reply = CODEC.decode(peer.ask(hello).body(), HelloReply.class);
      Frame answer = peer.ask(new Authenticate(proof(token, hello, reply.challenge())));
      if (answer.kind() != FrameKind.REPLY) {
        throw new IOException("the connection was rejected");
      }
      return peer;
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  private static String proof(String token, Hello hello, String challenge) {
    StringBuilder text = new StringBuilder();
    for (String field :
        new String[] {
          "millrace-v1",
          "caller",
          hello.role().name(),
          hello.nodeId(),
          hello.group(),
          hello.nonce(),
          challenge
        }) {
      text.append(field.length()).append(':').append(field).append(',');
    }
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of()
          .formatHex(mac.doFinal(text.toString().getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends a request and reads until its response arrives. */
  Frame ask(Request<?> request) throws IOException {
    long id = send(request);
    while (true) {
      Frame frame = read();
      if (frame.requestId() == id && frame.kind() != FrameKind.REQUEST) {
        return frame;
      }
    }
  }

  /** Sends a request and returns its id. */
  long send(Request<?> request) throws IOException {
    send(frame(RequestType.of(request).code(), ++lastId, CODEC.encode(request)));
    return lastId;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  static byte[] frame(int type, long id, byte[] body) {
    return FrameCodec.encode(new Frame(FrameKind.REQUEST, type, id, body)).array();
  }

  Frame read() throws IOException {
    byte[] bytes = new byte[Integer.BYTES + lengthOfRest()];
    ByteBuffer frame = ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES);
    in.readFully(bytes, frame.position(), frame.remaining());
    Frame read = FrameCodec.decode(frame.rewind(), Integer.MAX_VALUE);
    if (read == null) {
      throw new IOException("half a frame");
    }
    return read;
  }

  private int lengthOfRest() throws IOException {
    return in.readInt();
  }

  static <T> T decode(Frame frame, Class<T> type) {
    return CODEC.decode(frame.body(), type);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
