package io.millrace.internal.rpc.netty;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.connection.ConnectionContext;
import io.millrace.internal.rpc.connection.FrameTransport;
import io.millrace.internal.rpc.connection.SharedBytes;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Frames over a Netty channel. */
final class NettyTransport implements FrameTransport {

  /** Time for the last messages to leave; after it the channel is closed anyway. */
  private static final long LINGER_SECONDS = 5;

  private final Channel channel;
  private final FrameDecoder decoder;
  private final String remoteAddress;
  private final long maxUnsentBytes;
  private final SharedBytes.Account unsent;

  /** The transport of the calling end. */
  static NettyTransport ofCaller(Channel channel, String remoteAddress, ConnectionContext context) {
    return new NettyTransport(channel, remoteAddress, context, /* waitsForReader= */ false);
  }

  /**
   * The transport of the answering end: it decodes no requests while the other end does not read
   * the answers.
   */
  static NettyTransport ofServer(Channel channel, String remoteAddress, ConnectionContext context) {
    return new NettyTransport(channel, remoteAddress, context, /* waitsForReader= */ true);
  }

  private NettyTransport(
      Channel channel, String remoteAddress, ConnectionContext context, boolean waitsForReader) {
    this.channel = channel;
    this.remoteAddress = remoteAddress;
    this.maxUnsentBytes = context.limits().maxUnsentBytes();
    this.unsent =
        context
            .load()
            .unsent()
            .open(
                () ->
                    tooMuch(
                        CutReason.UNSENT_OF_ALL,
                        "too much data is unsent, and this connection has not been read for"
                            + " the longest time"));
    SharedBytes.Account received =
        context
            .load()
            .received()
            .open(
                () ->
                    tooMuch(
                        CutReason.RECEIVED_OF_ALL,
                        "too many frames are incomplete, and this one is the oldest"));
    this.decoder = new FrameDecoder(received, waitsForReader);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              unsent.close();
              received.close();
            });
  }

  /** Sends an event through the channel, because only the channel's own thread may close it. */
  private void tooMuch(CutReason reason, String message) {
    channel.pipeline().fireExceptionCaught(new OverBoundException(reason, message));
  }

  FrameDecoder decoder() {
    return decoder;
  }

  @Override
  public boolean send(Frame frame) {
    if (!channel.isOpen()) {
      // Its threads may have ended; then Netty would log that it cannot report the failed write.
      return true;
    }
    long cost = (long) frame.size() + ConnectionLimits.MESSAGE_OVERHEAD_BYTES;
    if (unsent.held() + cost > maxUnsentBytes) {
      return false;
    }
    unsent.add(cost);
    channel
        .writeAndFlush(Unpooled.wrappedBuffer(FrameCodec.encode(frame)))
        .addListener(written -> unsent.add(-cost));
    return true;
  }

  @Override
  public Duration incompleteFor() {
    return decoder.incompleteFor();
  }

  @Override
  public void limitFrames(int maxBytes) {
    decoder.limitFrames(maxBytes);
  }

  @Override
  public void close(boolean afterSending) {
    if (!afterSending) {
      channel.close();
      return;
    }
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public Executor executor() {
    return channel.eventLoop();
  }

  @Override
  public String remoteAddress() {
    return remoteAddress;
  }

  /** An address as numbers, without asking a name server. */
  static String describe(SocketAddress address) {
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      return new HostPort(inet.getAddress().getHostAddress(), inet.getPort()).toString();
    }
    return String.valueOf(address);
  }
}
