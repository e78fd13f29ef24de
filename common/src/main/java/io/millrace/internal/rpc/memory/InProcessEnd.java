package io.millrace.internal.rpc.memory;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.MalformedFrameException;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.connection.Connection;
import io.millrace.internal.rpc.connection.FrameTransport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One end of an {@link InProcessLink}. */
final class InProcessEnd implements FrameTransport {
  private final InProcessNetwork network;
  private final InProcessLink link;
  private final String name;
  private final String remoteName;
  private final Executor executor;
  private final Queue<Runnable> arriving = new ConcurrentLinkedQueue<>();
  private long lastArrivalAt;
  private volatile boolean closed;
  private volatile int maxFrameBytes = ConnectionLimits.HANDSHAKE_FRAME_BYTES;
  private @Nullable Connection connection;

  InProcessEnd(InProcessNetwork network, InProcessLink link, String name, String remoteName) {
    this.network = network;
    this.link = link;
    this.name = name;
    this.remoteName = remoteName;
    this.executor = network.newSerialExecutor();
    this.lastArrivalAt = network.nanoTime();
  }

  String name() {
    return name;
  }

  /** Sets the connection that receives frames; the first task on the executor. */
  void attach(Connection taker) {
    connection = taker;
  }

  @Override
  public boolean send(Frame frame) {
    if (!closed) {
      link.carry(this, frame);
    }
    return true;
  }

  /** Runs a task on this end after the delay, and after all tasks given to this method before. */
  void takeInOrder(Duration delay, Runnable arrival) {
    Duration wait;
    synchronized (arriving) {
      long now = network.nanoTime();
      lastArrivalAt = Math.max(lastArrivalAt, now + delay.toNanos());
      wait = Duration.ofNanos(lastArrivalAt - now);
      arriving.add(arrival);
    }
    network.schedule(wait, executor, this::takeNext);
  }

  private void takeNext() {
    Runnable arrival = arriving.poll();
    if (arrival != null) {
      arrival.run();
    }
  }

  /** Receives a frame; called on the executor. */
  void arrive(ByteBuffer bytes) {
    Connection taker = connection;
    if (closed || taker == null) {
      return;
    }
    try {
      Frame frame = FrameCodec.decode(bytes, maxFrameBytes);
      if (frame != null) {
        taker.receive(frame);
      }
    } catch (MalformedFrameException e) {
      taker.abort(CutReason.PROTOCOL, String.valueOf(e.getMessage()));
    }
  }

  /** Stops receiving and sending. */
  void end(String reason) {
    closed = true;
    executor.execute(() -> notifyClosed(reason));
  }

  private void notifyClosed(String reason) {
    Connection taker = connection;
    if (taker != null) {
      taker.transportClosed(reason);
    }
  }

  @Override
  public void limitFrames(int maxBytes) {
    maxFrameBytes = maxBytes;
  }

  @Override
  public void close(boolean afterSending) {
    if (afterSending) {
      link.close(this);
    } else {
      link.cut("closed by one side");
    }
  }

  /** Always zero: frames arrive complete. */
  @Override
  public Duration incompleteFor() {
    return Duration.ZERO;
  }

  @Override
  public Executor executor() {
    return executor;
  }

  @Override
  public String remoteAddress() {
    return remoteName;
  }
}
