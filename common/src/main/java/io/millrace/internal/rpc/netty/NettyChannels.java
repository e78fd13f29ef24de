package io.millrace.internal.rpc.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;

/** The threads of one server or connector, and every channel on them. Thread-safe. */
final class NettyChannels {
  private static final long CLOSE_SECONDS = 5;

  private final EventLoopGroup threads;
  private final ChannelGroup channels;
  private final Set<ChannelFuture> attempts = new HashSet<>();
  private boolean closed;

  NettyChannels(String threadName, int threadCount) {
    threads =
        new MultiThreadIoEventLoopGroup(
            threadCount, new DefaultThreadFactory(threadName, true), NioIoHandler.newFactory());
    channels = new DefaultChannelGroup(threads.next(), /* stayClosed= */ true);
  }

  EventLoopGroup threads() {
    return threads;
  }

  /** Adds a channel; one added after the close is closed at once. */
  void add(Channel channel) {
    channels.add(channel);
  }

  /**
   * Begins to connect, unless this is closed. The close ends attempts under way and waits for them:
   * Netty logs stack traces of tasks that reach its threads after their end, and a listener that is
   * added late is such a task.
   *
   * @param onEnd receives the result of the attempt, on one of the threads
   * @return false if this is closed
   */
  boolean connect(Supplier<ChannelFuture> begin, ChannelFutureListener onEnd) {
    synchronized (attempts) {
      if (closed) {
        return false;
      }
      ChannelFuture attempt = begin.get();
      attempts.add(attempt);
      attempt.addListener(over -> forget(attempt));
      attempt.addListener(onEnd);
      return true;
    }
  }

  private void forget(ChannelFuture attempt) {
    synchronized (attempts) {
      attempts.remove(attempt);
    }
  }

  private List<ChannelFuture> endAttempts() {
    List<ChannelFuture> underWay;
    synchronized (attempts) {
      closed = true;
      underWay = List.copyOf(attempts);
    }
    underWay.forEach(attempt -> attempt.channel().close());
    return underWay;
  }

  /**
   * Closes the channels, then the threads, and waits for both unless called by one of the threads.
   * Ending only the threads is not enough: Netty sometimes ends them with the listening channel
   * still open, and its port stays in use.
   */
  void close() {
    List<ChannelFuture> underWay = endAttempts();
    boolean isOwnThread =
        StreamSupport.stream(threads.spliterator(), false).anyMatch(EventExecutor::inEventLoop);
    if (isOwnThread) {
      channels.close();
      threads.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
      return;
    }
    underWay.forEach(attempt -> attempt.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS));
    channels.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    threads
        .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS + 1, TimeUnit.SECONDS);
  }
}
