package io.millrace.common.rpc;

import io.millrace.common.codec.Frame;
import io.millrace.common.codec.FrameCodec;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Frames over a Netty channel. */
final class NettyTransport implements FrameTransport {

  /** How long a last message may take to leave before the channel is closed all the same. */
  private static final long LINGER_SECONDS = 5;

  private final Channel channel;
  private final FrameDecoder decoder;
  private final String remoteAddress;
  private final long maxUnsentBytes;
  private final AtomicLong unsentBytes = new AtomicLong();

  NettyTransport(
      Channel channel, FrameDecoder decoder, String remoteAddress, ConnectionLimits limits) {
    this.channel = channel;
    this.decoder = decoder;
    this.remoteAddress = remoteAddress;
    this.maxUnsentBytes = limits.maxUnsentBytes();
  }

  @Override
  public boolean send(Frame frame) {
    if (!channel.isOpen()) {
      // Its threads may have ended: Netty would log that it cannot even tell that the write failed.
      return true;
    }
    int size = frame.size();
    if (unsentBytes.addAndGet(size) > maxUnsentBytes) {
      unsentBytes.addAndGet(-size);
      return false;
    }
    channel
        .writeAndFlush(Unpooled.wrappedBuffer(FrameCodec.encode(frame)))
        .addListener(written -> unsentBytes.addAndGet(-size));
    return true;
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
