package io.millrace.internal.frame;

/**
 * One message on the wire, its body not yet decoded. The body is not copied: the caller must not
 * change the array afterwards. Equal to itself only, as its body is.
 *
 * @param kind what the body is
 * @param type code of the request's type, 0 to 65,535; a reply or an error has the type of its
 *     request
 * @param requestId chosen by the requesting end, from 1; a reply or an error has the id of its
 *     request
 * @param body UTF-8 JSON
 */
@SuppressWarnings("ArrayRecordComponent")
public record Frame(FrameKind kind, int type, long requestId, byte[] body) {

  /** Bytes on the wire. */
  public int size() {
    return FrameCodec.HEADER_BYTES + body.length;
  }

  @Override
  public String toString() {
    return kind + " " + requestId + " of type " + type + ", " + body.length + " bytes";
  }
}
