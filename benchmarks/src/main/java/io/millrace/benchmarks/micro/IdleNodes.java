package io.millrace.benchmarks.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.Ping;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.HostPort;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Many idle nodes that use one thread and almost no memory, so that the measurement shows the
 * tracker's cost: workers, each of which sends its next pull when the previous one is answered, and
 * clients, which ping as often as a real one. Each node has at most one request in progress.
 */
final class IdleNodes implements Runnable, AutoCloseable {
  private static final int PROTOCOL = 1;
  private static final int SLOTS = 64;
  private static final int BUFFER_BYTES = 1_024;
  private static final int SECONDS_BETWEEN_PINGS = 3;

  private final NodeRole role;
  private final Selector selector;
  private final JsonCodec codec = new JsonCodec();
  private final AtomicInteger greeted = new AtomicInteger();
  private final AtomicLong answers = new AtomicLong();
  private final Thread thread = new Thread(this, "benchmark-nodes");
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  /** One node; its buffer holds the received part of the next frame. */
  private static final class Node {
    final SocketChannel channel;
    final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES);
    long requests;
    boolean asking;

    Node(SocketChannel channel) {
      this.channel = channel;
    }
  }

  /** Connects the nodes, one after the other. */
  IdleNodes(String address, NodeRole role, int count) throws IOException {
    this.role = role;
    this.selector = Selector.open();
    HostPort tracker = HostPort.parse(address);
    for (int number = 0; number < count; number++) {
      Node node =
          new Node(SocketChannel.open(new InetSocketAddress(tracker.host(), tracker.port())));
      node.channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      node.channel.configureBlocking(false);
      node.channel.register(selector, SelectionKey.OP_READ, node);
      String id = role + "-" + number;
      Hello hello = new Hello(PROTOCOL, PROTOCOL, role, id, "idle", UUID.randomUUID().toString());
      ask(node, RequestType.HELLO, hello);
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the number of nodes that the tracker has accepted. */
  int greeted() {
    Throwable known = failure;
    if (known != null) {
      throw new IllegalStateException("the idle nodes stopped", known);
    }
    return greeted.get();
  }

  /** Returns the number of answered requests, without the first one of each node. */
  long answers() {
    return answers.get();
  }

  /** Returns the id of the nodes' thread, whose work does not belong to the tracker. */
  long threadId() {
    return thread.getId();
  }

  @Override
  public void run() {
    long nextPings = System.nanoTime();
    try {
      while (!closed) {
        selector.select(key -> read((Node) key.attachment()), 1_000);
        if (role == NodeRole.CLIENT && System.nanoTime() - nextPings >= 0) {
          nextPings = System.nanoTime() + SECONDS_BETWEEN_PINGS * 1_000_000_000L;
          pingAll();
        }
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  private void pingAll() throws IOException {
    for (SelectionKey key : selector.keys()) {
      Node node = (Node) key.attachment();
      if (!node.asking) {
        ask(node, RequestType.PING, new Ping());
      }
    }
  }

  private void read(Node node) {
    try {
      if (node.channel.read(node.received) < 0) {
        throw new EOFException("the tracker closed a connection");
      }
      node.received.flip();
      Frame frame = FrameCodec.decode(node.received, BUFFER_BYTES);
      node.received.compact();
      if (frame != null) {
        answered(node, frame);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answered(Node node, Frame frame) throws IOException {
    if (frame.kind() != FrameKind.REPLY) {
      throw new IllegalStateException(frame + ": " + new String(frame.body(), UTF_8));
    }
    node.asking = false;
    if (frame.type() == RequestType.HELLO.code()) {
      greeted.incrementAndGet();
    } else {
      answers.incrementAndGet();
    }
    if (role == NodeRole.WORKER) {
      ask(node, RequestType.PULL, new PullRequest(node.requests, SLOTS, List.of(), List.of()));
    }
  }

  /** Sends a request. At most one small frame is in transit, so the send buffer always has room. */
  private void ask(Node node, RequestType type, Request<?> request) throws IOException {
    node.asking = true;
    byte[] body = codec.encode(request);
    ByteBuffer bytes =
        FrameCodec.encode(new Frame(FrameKind.REQUEST, type.code(), ++node.requests, body));
    while (bytes.hasRemaining()) {
      node.channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (SelectionKey key : List.copyOf(selector.keys())) {
      key.channel().close();
    }
    selector.close();
  }
}
