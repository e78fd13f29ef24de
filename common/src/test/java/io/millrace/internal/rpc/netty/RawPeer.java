package io.millrace.internal.rpc.netty;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.ErrorReply;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.connection.HandshakeProof;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A caller or a tracker that sends whatever bytes it likes, over a plain socket. */
public final class RawPeer implements AutoCloseable {
  static final int TIMEOUT_MILLIS = 10_000;
  static final String NONCE = "0123456789abcdef0123456789abcdef";

  private final JsonCodec codec = new JsonCodec();
  private final Socket socket;
  private ByteBuffer unread = ByteBuffer.allocate(0);

  private RawPeer(Socket socket) {
    this.socket = socket;
  }

  static RawPeer connect(String address) throws IOException {
    HostPort target = HostPort.parse(address);
    Socket socket = new Socket(target.host(), target.port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    return new RawPeer(socket);
  }

  /** Takes the next caller of a tracker that is not one. */
  public static RawPeer accept(ServerSocket listening) throws IOException {
    listening.setSoTimeout(TIMEOUT_MILLIS);
    Socket socket = listening.accept();
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return new RawPeer(socket);
  }

  /** Connects and does the whole handshake. */
  static RawPeer greeted(String address, NodeRole role, Token token) throws IOException {
    RawPeer caller = connect(address);
    Hello hello = hello(role);
    caller.send(RequestType.HELLO, 1, hello);
    HelloReply reply = caller.readReply(HelloReply.class);
    String proof = new HandshakeProof(token, hello, reply.challenge()).ofCaller();
    caller.send(RequestType.AUTHENTICATE, 2, new Authenticate(proof));
    Frame frame = caller.read();
    if (frame == null || frame.kind() != FrameKind.REPLY) {
      throw new IOException("refused: " + frame);
    }
    return caller;
  }

  static Hello hello(NodeRole role) {
    return new Hello(1, 1, role, "raw-1", "orders", NONCE);
  }

  public void send(RequestType type, long id, Object body) throws IOException {
    send(new Frame(FrameKind.REQUEST, type.code(), id, codec.encode(body)));
  }

  public void send(Frame frame) throws IOException {
    send(FrameCodec.encode(frame).array());
  }

  /** Sends bytes; a tracker that has closed the connection already is no error. */
  public void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      // What the tracker did is read from the connection afterwards.
      return;
    }
  }

  /** For what sends or reads more than frames one by one. */
  Socket socket() {
    return socket;
  }

  void finishSending() throws IOException {
    socket.shutdownOutput();
  }

  /** The next frame, or null if the tracker closed the connection. */
  public Frame read() throws IOException {
    InputStream in = socket.getInputStream();
    while (true) {
      Frame frame = FrameCodec.decode(unread, Integer.MAX_VALUE);
      if (frame != null) {
        return frame;
      }
      byte[] chunk = new byte[1 << 16];
      int count = readOrEnd(in, chunk);
      if (count < 0) {
        return null;
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.write(unread.array(), unread.arrayOffset() + unread.position(), unread.remaining());
      all.write(chunk, 0, count);
      unread = ByteBuffer.wrap(all.toByteArray());
    }
  }

  private static int readOrEnd(InputStream in, byte[] chunk) throws IOException {
    try {
      return in.read(chunk);
    } catch (SocketException e) {
      return -1;
    }
  }

  public <T> T readRequest(Class<T> type) throws IOException {
    return codec.decode(read().body(), type);
  }

  public void reply(RequestType type, long id, Object body) throws IOException {
    send(new Frame(FrameKind.REPLY, type.code(), id, codec.encode(body)));
  }

  <T> T readReply(Class<T> type) throws IOException {
    return codec.decode(read().body(), type);
  }

  ErrorReply readError() throws IOException {
    Frame frame = read();
    if (frame == null || frame.kind() != FrameKind.ERROR) {
      throw new IOException("no error but " + frame);
    }
    return codec.decode(frame.body(), ErrorReply.class);
  }

  /** Whether the tracker closes the connection within the time-out; passes over what it sends. */
  boolean isClosedByTracker() throws IOException {
    try {
      while (read() != null) {}
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
