package io.millrace.internal.rpc.connection;

import io.millrace.internal.codec.CodecException;
import io.millrace.internal.codec.CodecException.Fault;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ErrorReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.RpcException;

/** Turns messages into frames and back. Thread-safe. */
final class Messages {
  private final JsonCodec codec;
  private final int maxFrameBytes;

  Messages(JsonCodec codec, int maxFrameBytes) {
    this.codec = codec;
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * The frame of a request.
   *
   * @throws RpcException BAD_REQUEST if it cannot be encoded or is too large
   */
  Frame request(RequestType type, long id, Request<?> request) {
    return bounded(FrameKind.REQUEST, type.code(), id, request);
  }

  /**
   * The frame of a reply.
   *
   * @throws RpcException BAD_REQUEST if it cannot be encoded or is too large
   */
  Frame reply(Frame request, Object reply) {
    return bounded(FrameKind.REPLY, request.type(), request.requestId(), reply);
  }

  /** The frame of an error, sent instead of a reply. */
  Frame error(Frame request, ErrorCode code, String message) {
    byte[] body = codec.encode(new ErrorReply(code, message));
    return new Frame(FrameKind.ERROR, request.type(), request.requestId(), body);
  }

  /**
   * Decodes a body.
   *
   * @throws ProtocolViolationException if the body is not JSON
   * @throws RpcException BAD_REQUEST if it is JSON of another form
   */
  <T> T body(Frame frame, Class<T> type) {
    try {
      return codec.decode(frame.body(), type);
    } catch (CodecException e) {
      if (e.fault() == Fault.MALFORMED) {
        throw new ProtocolViolationException("bad JSON in " + frame + ": " + e.getMessage());
      }
      throw new RpcException(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  private Frame bounded(FrameKind kind, int type, long id, Object message) {
    Frame frame;
    try {
      frame = new Frame(kind, type, id, codec.encode(message));
    } catch (CodecException e) {
      throw new RpcException(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()), e);
    }
    if (frame.size() > maxFrameBytes) {
      throw new RpcException(
          ErrorCode.BAD_REQUEST,
          message.getClass().getSimpleName()
              + " has "
              + frame.size()
              + " bytes; at most "
              + maxFrameBytes
              + " are allowed");
    }
    return frame;
  }
}
