package io.millrace.common.rpc.connection;

import io.millrace.common.frame.Frame;

/** Takes the frames of one stage of a connection's life. */
@FunctionalInterface
interface FrameReceiver {

  /**
   * Takes the next frame.
   *
   * @throws ProtocolViolationException if it may not come now; the connection is then closed
   */
  void receive(Frame frame);
}
