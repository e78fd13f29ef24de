package io.millrace.internal.rpc.connection;

import io.millrace.internal.frame.Frame;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Carries whole frames to the other end, in order. A transport calls its {@link Connection} only
 * from {@link #executor}, and not after {@link Connection#transportClosed}. Thread-safe.
 */
public interface FrameTransport {

  /**
   * Sends a frame without waiting. Does nothing once closed.
   *
   * @return false if the frame was dropped because too much is unsent already
   */
  boolean send(Frame frame);

  /** The time since the incomplete frame began to arrive; zero if there is none. */
  Duration incompleteFor();

  /** Accepts frames up to this size from now on. */
  void limitFrames(int maxBytes);

  /** Closes after the queued frames have left; or at once, dropping them. */
  void close(boolean afterSending);

  /** Runs tasks one at a time, in order, never nested. */
  Executor executor();

  /** The address of the other end. */
  String remoteAddress();
}
