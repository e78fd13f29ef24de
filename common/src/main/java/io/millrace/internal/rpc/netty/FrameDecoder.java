package io.millrace.internal.rpc.netty;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.MalformedFrameException;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.connection.SharedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Decodes the bytes of a channel into frames.
 *
 * <p>The answering end decodes no frame while the other end does not read: the frames stay in this
 * decoder's buffer, and then in those of the other end. The calling end must always read; otherwise
 * both ends could wait for each other.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  private final SharedBytes.Account held;
  private final boolean waitsForReader;
  private int maxFrameBytes = ConnectionLimits.HANDSHAKE_FRAME_BYTES;

  /** Whether a frame was decoded since the held bytes were last counted. */
  private boolean begins;

  /** Whether the buffer may hold frames that are not decoded yet. */
  private boolean heldBack;

  /**
   * Makes a decoder.
   *
   * @param held counts the bytes of incomplete frames
   * @param waitsForReader whether frames wait until the other end has read its answers
   */
  FrameDecoder(SharedBytes.Account held, boolean waitsForReader) {
    this.held = held;
    this.waitsForReader = waitsForReader;
  }

  /** Accepts frames up to this size from now on; called by the channel's thread. */
  void limitFrames(int maxBytes) {
    maxFrameBytes = maxBytes;
  }

  /** The time since the incomplete frame began to arrive; zero if there is none. */
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

  /** The base class would request another read whenever it found no frame. */
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

  /**
   * Counts the whole capacity of the buffer, because no part of it can be freed while it holds a
   * byte.
   */
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

  /**
   * Runs as its own task, not inside the write that made the channel writable, because that write
   * may be part of an answer.
   */
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
