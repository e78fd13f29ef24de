package io.millrace.internal.rpc.netty;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.connection.Connection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import javax.net.ssl.SSLException;

/** Passes the events of a channel to its connection. */
final class ConnectionHandler extends SimpleChannelInboundHandler<Frame> {
  private final Connection connection;
  private final Runnable onActive;

  /**
   * Makes a handler.
   *
   * @param onActive run when the channel is connected
   */
  ConnectionHandler(Connection connection, Runnable onActive) {
    this.connection = connection;
    this.onActive = onActive;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    onActive.run();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Frame frame) {
    connection.receive(frame);
  }

  /** A part of a frame is a sign of life too: a large frame takes long on a slow line. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    connection.received();
  }

  /** A writable channel is a sign of life: the other end has read the queued bytes. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      connection.received();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    connection.transportClosed("closed by the other node");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable reason =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    if (reason instanceof OverBoundException over) {
      connection.cut(over.reason(), String.valueOf(over.getMessage()));
    } else if (reason instanceof IOException && !(reason instanceof SSLException)) {
      connection.transportClosed(String.valueOf(reason.getMessage()));
      context.close();
    } else {
      connection.abort(CutReason.PROTOCOL, String.valueOf(reason.getMessage()));
    }
  }
}
