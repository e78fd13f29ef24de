package io.millrace.common.frame;

/**
 * One message on the wire, its body not yet decoded. The body is not copied: the caller must not
 * change the array afterwards.
 */
public final class Frame {
  private final FrameKind kind;
  private final int type;
  private final long requestId;
  private final byte[] body;

  /**
   * Makes a frame.
   *
   * @param kind what the body is
   * @param type code of the request's type, 0 to 65,535; a reply or an error has the type of its
   *     request
   * @param requestId chosen by the requesting end, from 1; a reply or an error has the id of its
   *     request
   * @param body UTF-8 JSON
   */
  public Frame(FrameKind kind, int type, long requestId, byte[] body) {
    this.kind = kind;
    this.type = type;
    this.requestId = requestId;
    this.body = body;
  }

  public FrameKind kind() {
    return kind;
  }

  public int type() {
    return type;
  }

  public long requestId() {
    return requestId;
  }

  public byte[] body() {
    return body;
  }

  /** Bytes on the wire. */
  public int size() {
    return FrameCodec.HEADER_BYTES + body.length;
  }

  @Override
  public String toString() {
    return kind + " " + requestId + " of type " + type + ", " + body.length + " bytes";
  }
}
