package io.millrace.common.rpc.netty;

import io.millrace.common.frame.Frame;
import io.millrace.common.frame.FrameCodec;
import io.millrace.common.rpc.ConnectionLimits;
import io.millrace.common.rpc.CutReason;
import io.millrace.common.rpc.HostPort;
import io.millrace.common.rpc.connection.ConnectionContext;
import io.millrace.common.rpc.connection.FrameTransport;
import io.millrace.common.rpc.connection.SharedBytes;
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

  /** How long a last message may take to leave before the channel is closed all the same. */
  private static final long LINGER_SECONDS = 5;

  private final Channel channel;
  private final FrameDecoder decoder;
  private final String remoteAddress;
  private final long maxUnsentBytes;
  private final SharedBytes.Account unsent;

  /** Of the end that calls. */
  static NettyTransport ofCaller(Channel channel, String remoteAddress, ConnectionContext context) {
    return new NettyTransport(channel, remoteAddress, context, /* waitsForReader= */ false);
  }

  /** Of the end that answers: it takes no requests while its answers are not read. */
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
                        "it has not read what it was sent for the longest, and too much is"
                            + " unsent"));
    SharedBytes.Account received =
        context
            .load()
            .received()
            .open(
                () ->
                    tooMuch(
                        CutReason.RECEIVED_OF_ALL,
                        "its frame began first, and too many are incomplete"));
    this.decoder = new FrameDecoder(received, waitsForReader);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              unsent.close();
              received.close();
            });
  }

  /** By way of the channel, because it is its own thread that may close it. */
  private void tooMuch(CutReason reason, String message) {
    channel.pipeline().fireExceptionCaught(new OverBoundException(reason, message));
  }

  FrameDecoder decoder() {
    return decoder;
  }

  @Override
  public boolean send(Frame frame) {
    if (!channel.isOpen()) {
      // Its threads may have ended: Netty would log that it cannot even tell that the write failed.
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
