package io.millrace.common.rpc;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** The threads of one server or connector, and every channel on them. Thread-safe. */
final class NettyChannels {
  private static final long CLOSE_SECONDS = 5;

  private final EventLoopGroup threads;
  private final ChannelGroup channels;

  NettyChannels(String threadName, int threadCount) {
    threads =
        new MultiThreadIoEventLoopGroup(
            threadCount, new DefaultThreadFactory(threadName, true), NioIoHandler.newFactory());
    channels = new DefaultChannelGroup(threads.next(), /* stayClosed= */ true);
  }

  EventLoopGroup threads() {
    return threads;
  }

  /** Takes a channel in; one that comes after the close is closed at once. */
  void add(Channel channel) {
    channels.add(channel);
  }

  /**
   * Closes the channels, then the threads, and waits for both unless called by one of the threads.
   * Ending the threads alone would not do: now and then Netty ends them with the listening channel
   * still open, and its port stays taken.
   */
  void close() {
    boolean isOwnThread =
        StreamSupport.stream(threads.spliterator(), false).anyMatch(EventExecutor::inEventLoop);
    if (isOwnThread) {
      channels.close();
      threads.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
      return;
    }
    channels.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    threads
        .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS + 1, TimeUnit.SECONDS);
  }
}
