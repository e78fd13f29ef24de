package io.millrace.common.rpc.netty;

import io.millrace.common.frame.Frame;
import io.millrace.common.frame.FrameCodec;
import io.millrace.common.frame.MalformedFrameException;
import io.millrace.common.rpc.ConnectionLimits;
import io.millrace.common.rpc.connection.SharedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Cuts what comes over a channel into frames. Holds no more than what has come of one frame.
 *
 * <p>At the end that answers it takes no frame while the other end does not read: the frames stay
 * in its buffer, and then in those of the other end. An end that calls must always read, or both
 * would wait for one another.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  private final SharedBytes.Account held;
  private final boolean waitsForReader;
  private int maxFrameBytes = ConnectionLimits.HANDSHAKE_FRAME_BYTES;

  /** Whether a frame was taken since the last look at what is held. */
  private boolean begins;

  /** Whether frames may be in the buffer that were not looked at. */
  private boolean heldBack;

  /**
   * @param held counts what is held of incomplete frames
   * @param waitsForReader whether frames wait until the other end has read its answers
   */
  FrameDecoder(SharedBytes.Account held, boolean waitsForReader) {
    this.held = held;
    this.waitsForReader = waitsForReader;
  }

  /** Takes frames up to this size from now on; called by the channel's own thread. */
  void limitFrames(int maxBytes) {
    maxFrameBytes = maxBytes;
  }

  /** How long the frame has been coming that is not complete; zero if there is none. */
  Duration incompleteFor() {
    return heldBack ? Duration.ZERO : held.heldFor();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (waitsForReader && !context.channel().isWritable()) {
      heldBack = true;
      return;
    }
    ByteBuffer bytes = in.nioBuffer();
    Frame frame = FrameCodec.decode(bytes, maxFrameBytes);
    if (frame != null) {
      in.skipBytes(bytes.position());
      begins = true;
      out.add(frame);
    }
  }

  /** The base class would ask for more to read whenever no frame was found. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    if (heldBack) {
      discardSomeReadBytes();
      context.fireChannelReadComplete();
    } else {
      super.channelReadComplete(context);
    }
    count();
  }

  /** A buffer counts as a whole: of a large one with one byte in it nothing can be freed. */
  private void count() {
    held.hold(actualReadableBytes() == 0 ? 0 : internalBuffer().capacity(), begins);
    begins = false;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (waitsForReader) {
      boolean isRead = context.channel().isWritable();
      context.channel().config().setAutoRead(isRead);
      if (isRead && heldBack) {
        heldBack = false;
        context.executor().execute(() -> takeHeldBack(context));
      }
    }
    context.fireChannelWritabilityChanged();
  }

  /** Not from within the write that made the channel writable: that may be an answer's. */
  private void takeHeldBack(ChannelHandlerContext context) {
    try {
      channelRead(context, Unpooled.EMPTY_BUFFER);
      count();
    } catch (Exception e) {
      context.fireExceptionCaught(e);
    }
  }

  @Override
  protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    super.decodeLast(context, in, out);
    if (in.isReadable()) {
      context.fireExceptionCaught(new MalformedFrameException("closed in the middle of a frame"));
    }
  }
}
