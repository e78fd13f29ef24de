package io.millrace.benchmarks.scale;

import io.millrace.api.Outcome;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker that has no thread and almost no memory, so that many of them fit into a process. It
 * pulls, reports each execution that it receives as a success at once, and then pulls again: one
 * request at a time. When its connection is lost, it connects again after a pause, as a worker
 * does. Used by the thread of its loop.
 */
final class SimulatedWorker {
  private static final int PROTOCOL = 1;
  private static final int FIRST_BUFFER_BYTES = 1_024;
  private static final int MOST_FRAME_BYTES = 8 << 20;

  /** The pauses of a worker between attempts to connect, in milliseconds. */
  private static final long FIRST_PAUSE = 200;

  private static final long LONGEST_PAUSE = 10_000;
  private static final int MOST_DOUBLINGS = 10;

  /** The pause before a request that could not be answered is sent again, in milliseconds. */
  private static final long AGAIN = 100;

  private final EventLoop loop;
  private final Common common;
  private final String id;
  private final String group;
  private ByteBuffer received = ByteBuffer.allocate(FIRST_BUFFER_BYTES);
  private @Nullable SocketChannel channel;
  private List<ExecutionResult> unreported = List.of();
  private long requests;
  private long pulls;
  private int failures;
  private boolean isConnected;
  private boolean isServed;

  /**
   * What all workers share.
   *
   * @param slots the number of jobs that each pull asks for
   * @param random spreads the pauses
   */
  record Common(
      InetSocketAddress tracker,
      int slots,
      JsonCodec codec,
      SplittableRandom random,
      WorkerCounts counts) {}

  SimulatedWorker(EventLoop loop, Common common, String id, String group) {
    this.loop = loop;
    this.common = common;
    this.id = id;
    this.group = group;
  }

  /** Begins to connect. */
  void connect() {
    try {
      SocketChannel opened = SocketChannel.open();
      channel = opened;
      received.clear();
      opened.configureBlocking(false);
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      boolean atOnce = opened.connect(common.tracker());
      loop.watch(
          opened, atOnce ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this::becameReady);
      if (atOnce) {
        greet(opened);
      }
    } catch (IOException e) {
      lost(e);
    }
  }

  private void becameReady(SelectionKey key) {
    SocketChannel now = channel;
    if (now == null || key.channel() != now) {
      return;
    }
    try {
      if (!key.isConnectable()) {
        read(now);
      } else if (now.finishConnect()) {
        SelectionKey unused = key.interestOps(SelectionKey.OP_READ);
        greet(now);
      }
    } catch (IOException e) {
      lost(e);
    }
  }

  private void greet(SocketChannel now) throws IOException {
    String nonce = UUID.randomUUID().toString();
    ask(now, RequestType.HELLO, new Hello(PROTOCOL, PROTOCOL, NodeRole.WORKER, id, group, nonce));
  }

  private void read(SocketChannel now) throws IOException {
    if (now.read(received) < 0) {
      throw new EOFException("the tracker closed the connection");
    }
    received.flip();
    Frame frame = FrameCodec.decode(received, MOST_FRAME_BYTES);
    received.compact();
    if (!received.hasRemaining()) {
      received = ByteBuffer.allocate(received.capacity() * 2).put(received.flip());
    }
    if (frame != null) {
      answered(now, frame);
    }
  }

  private void answered(SocketChannel now, Frame frame) throws IOException {
    boolean isRefused = frame.kind() != FrameKind.REPLY;
    if (frame.type() == RequestType.HELLO.code()) {
      if (isRefused) {
        throw new IOException("the tracker refused the connection");
      }
      failures = 0;
      isConnected = true;
      common.counts().connected(1);
      proceed(now);
    } else if (isRefused) {
      proceedLater(now);
    } else if (frame.type() == RequestType.PULL.code()) {
      pulled(now, common.codec().decode(frame.body(), PullReply.class));
    } else {
      reported(now, common.codec().decode(frame.body(), CompleteReply.class));
    }
  }

  private void proceed(SocketChannel now) throws IOException {
    if (unreported.isEmpty()) {
      PullRequest pull = new PullRequest(++pulls, common.slots(), List.of(), List.of());
      ask(now, RequestType.PULL, pull);
    } else {
      ask(now, RequestType.COMPLETE, new CompleteRequest(unreported));
    }
  }

  private void proceedLater(SocketChannel now) {
    loop.later(
        AGAIN,
        () -> {
          try {
            if (channel == now) {
              proceed(now);
            }
          } catch (IOException e) {
            lost(e);
          }
        });
  }

  private void pulled(SocketChannel now, PullReply reply) throws IOException {
    boolean served = reply.status() == PullStatus.SERVED;
    if (served != isServed) {
      isServed = served;
      common.counts().served(served ? 1 : -1);
    }
    if (served) {
      unreported = reply.assignments().stream().map(SimulatedWorker::success).toList();
      proceed(now);
    } else {
      proceedLater(now);
    }
  }

  private static ExecutionResult success(Assignment assignment) {
    Instant now = Instant.ofEpochMilli(WallClock.millis());
    return new ExecutionResult(
        assignment.executionId(), Outcome.SUCCESS, null, null, List.of(), now, now);
  }

  private void reported(SocketChannel now, CompleteReply reply) throws IOException {
    List<ExecutionResult> again = new ArrayList<>();
    int accepted = 0;
    for (int i = 0; i < reply.answers().size(); i++) {
      CompletionStatus answer = reply.answers().get(i);
      if (answer == CompletionStatus.ACCEPTED) {
        accepted++;
      } else if (answer != CompletionStatus.REFUSED) {
        again.add(unreported.get(i));
      }
    }
    common.counts().accepted(accepted);
    unreported = again;
    if (again.isEmpty()) {
      proceed(now);
    } else {
      proceedLater(now);
    }
  }

  /** Sends a request. At most one small frame is in transit, so the send buffer always has room. */
  private void ask(SocketChannel now, RequestType type, Request<?> request) throws IOException {
    byte[] body = common.codec().encode(request);
    ByteBuffer bytes =
        FrameCodec.encode(new Frame(FrameKind.REQUEST, type.code(), ++requests, body));
    while (bytes.hasRemaining()) {
      int unused = now.write(bytes);
    }
  }

  private void lost(IOException why) {
    SocketChannel gone = channel;
    channel = null;
    common.counts().lost(why);
    common.counts().connected(isConnected ? -1 : 0);
    common.counts().served(isServed ? -1 : 0);
    isConnected = false;
    isServed = false;
    try {
      if (gone != null) {
        gone.close();
      }
    } catch (IOException alreadyGone) {
      // Then there is nothing to close.
    }
    long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures, MOST_DOUBLINGS));
    failures++;
    loop.later(pause - common.random().nextLong(pause / 2), this::connect);
  }
}
