package io.millrace.internal.frame;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Frames as bytes, big endian: length of what follows (4), magic (2), version of this layout (1),
 * kind (1), type (2), request id (8), body.
 */
public final class FrameCodec {
  /** "MR". */
  static final int MAGIC = 0x4D52;

  /** Version of the frame layout only; the hello negotiates the version of the bodies. */
  static final int VERSION = 1;

  /** Bytes of a frame with an empty body. */
  public static final int HEADER_BYTES = 18;

  private static final int LENGTH_BYTES = 4;
  private static final int MAGIC_END = 6;

  private FrameCodec() {}

  /** Encodes a frame. */
  public static ByteBuffer encode(Frame frame) {
    return ByteBuffer.allocate(frame.size())
        .putInt(frame.size() - LENGTH_BYTES)
        .putShort((short) MAGIC)
        .put((byte) VERSION)
        .put((byte) frame.kind().code())
        .putShort((short) frame.type())
        .putLong(frame.requestId())
        .put(frame.body())
        .flip();
  }

  /**
   * Removes the next frame from the bytes, or returns null and leaves the bytes unchanged if the
   * frame is incomplete. Checks as early as possible: a wrong magic or length is detected before
   * the rest of the frame arrives.
   *
   * @param maxBytes largest frame that is accepted
   * @throws MalformedFrameException if the bytes are not a frame, or the frame is too large
   */
  public static @Nullable Frame decode(ByteBuffer bytes, int maxBytes) {
    if (bytes.remaining() >= MAGIC_END) {
      checkMagic(Short.toUnsignedInt(bytes.getShort(bytes.position() + LENGTH_BYTES)));
    }
    if (bytes.remaining() < LENGTH_BYTES) {
      return null;
    }
    int length = bytes.getInt(bytes.position());
    checkLength(length, maxBytes);
    return bytes.remaining() < LENGTH_BYTES + length ? null : read(bytes, length);
  }

  private static Frame read(ByteBuffer bytes, int length) {
    bytes.position(bytes.position() + MAGIC_END);
    int version = Byte.toUnsignedInt(bytes.get());
    if (version != VERSION) {
      throw new MalformedFrameException("unsupported frame layout version " + version);
    }
    int code = Byte.toUnsignedInt(bytes.get());
    FrameKind kind = FrameKind.ofCode(code);
    if (kind == null) {
      throw new MalformedFrameException("frame of unknown kind " + code);
    }
    int type = Short.toUnsignedInt(bytes.getShort());
    long requestId = bytes.getLong();
    byte[] body = new byte[length + LENGTH_BYTES - HEADER_BYTES];
    bytes.get(body);
    return new Frame(kind, type, requestId, body);
  }

  private static void checkMagic(int magic) {
    if (magic != MAGIC) {
      throw new MalformedFrameException("not a Millrace frame");
    }
  }

  private static void checkLength(int length, int maxBytes) {
    if (length < HEADER_BYTES - LENGTH_BYTES) {
      throw new MalformedFrameException("invalid frame length " + length);
    }
    if (length > maxBytes - LENGTH_BYTES) {
      throw new MalformedFrameException(
          "frame of "
              + (length + (long) LENGTH_BYTES)
              + " bytes; at most "
              + maxBytes
              + " are allowed");
    }
  }
}
