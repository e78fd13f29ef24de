package io.millrace.internal.rpc.connection;

import io.millrace.internal.frame.Frame;

/** Receives the frames of one stage of a connection's life. */
@FunctionalInterface
interface FrameReceiver {

  /**
   * Receives the next frame.
   *
   * @throws ProtocolViolationException if the frame is not allowed now; the connection is then
   *     closed
   */
  void receive(Frame frame);
}
