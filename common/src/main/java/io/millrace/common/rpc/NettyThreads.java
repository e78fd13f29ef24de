package io.millrace.common.rpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/** The transport's own threads. */
final class NettyThreads {
  private static final long SHUTDOWN_SECONDS = 5;

  private NettyThreads() {}

  static EventLoopGroup start(String name, int threads) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
  }

  /** Ends the threads and waits for them, unless called by one of them. */
  static void stop(EventLoopGroup group) {
    group.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    boolean isOwnThread =
        StreamSupport.stream(group.spliterator(), false).anyMatch(EventExecutor::inEventLoop);
    if (!isOwnThread) {
      group.terminationFuture().awaitUninterruptibly(SHUTDOWN_SECONDS + 1, TimeUnit.SECONDS);
    }
  }
}
