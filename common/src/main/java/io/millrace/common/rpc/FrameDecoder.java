package io.millrace.common.rpc;

import io.millrace.common.codec.Frame;
import io.millrace.common.codec.FrameCodec;
import io.millrace.common.codec.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.util.List;

/** Cuts what comes over a channel into frames. Holds no more than what has come of one frame. */
final class FrameDecoder extends ByteToMessageDecoder {
  private int maxFrameBytes = ConnectionLimits.HANDSHAKE_FRAME_BYTES;

  /** Takes frames up to this size from now on; called by the channel's own thread. */
  void limitFrames(int maxBytes) {
    maxFrameBytes = maxBytes;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    ByteBuffer bytes = in.nioBuffer();
    Frame frame = FrameCodec.decode(bytes, maxFrameBytes);
    if (frame != null) {
      in.skipBytes(bytes.position());
      out.add(frame);
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
