package io.millrace.console.http.server;

import io.millrace.console.http.HttpLimits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Handles connections when they are accepted, before any byte is read and before TLS. Vert.x
 * reports a connection only once it can carry requests, which a client can delay indefinitely.
 */
@ChannelHandler.Sharable
final class ConnectionGate extends ChannelInboundHandlerAdapter {
  /** Extra sockets, for connections that have lost their place and are not closed yet. */
  private static final int BEING_CLOSED = 64;

  private final Connections connections;
  private final LongSupplier now;
  private final int mostSockets;
  private final AtomicInteger sockets = new AtomicInteger();

  ConnectionGate(Connections connections, int most, LongSupplier now) {
    this.connections = connections;
    this.mostSockets = most + HttpLimits.KEPT_FOR_HEALTH + BEING_CLOSED;
    this.now = now;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (accepted instanceof Channel channel) {
      ChannelLine line = new ChannelLine(channel);
      Optional<Connection> connection =
          channel.remoteAddress() instanceof InetSocketAddress from && sockets.get() < mostSockets
              ? connections.accept(from, line, now.getAsLong())
              : Optional.empty();
      if (connection.isEmpty()) {
        channel.unsafe().closeForcibly();
        return;
      }
      int unused = sockets.incrementAndGet();
      channel.closeFuture().addListener(closed -> closed(connection.get()));
      channel.pipeline().addLast(line);
    }
    context.fireChannelRead(accepted);
  }

  private void closed(Connection connection) {
    int unused = sockets.decrementAndGet();
    connections.gone(connection);
  }

  /** The first handler of a channel. */
  private static final class ChannelLine extends ChannelInboundHandlerAdapter
      implements Connection.Line {
    private final Channel channel;
    private volatile boolean closing;

    ChannelLine(Channel channel) {
      this.channel = channel;
    }

    /**
     * Closes the channel. A channel that is not registered with an event loop cannot be closed yet;
     * it is closed when it becomes active.
     */
    @Override
    public void close() {
      closing = true;
      if (channel.isRegistered()) {
        channel.close();
      }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      if (closing) {
        context.close();
      } else {
        context.fireChannelActive();
      }
    }

    @Override
    public long unsentBytes() {
      ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
      return unsent == null ? 0 : unsent.totalPendingWriteBytes();
    }
  }
}
