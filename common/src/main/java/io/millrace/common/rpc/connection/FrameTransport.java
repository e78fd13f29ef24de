package io.millrace.common.rpc.connection;

import io.millrace.common.frame.Frame;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Carries whole frames to the other end, in order. Its own side of the bargain: it calls its {@link
 * Connection} from {@link #executor} alone, and after {@link Connection#transportClosed} no more.
 * Thread-safe.
 */
public interface FrameTransport {

  /**
   * Sends a frame without waiting. Does nothing once closed.
   *
   * @return false if the frame was dropped because too much is unsent already
   */
  boolean send(Frame frame);

  /** How long a frame has been coming that is not complete; zero if there is none. */
  Duration incompleteFor();

  /** Takes frames up to this size from now on. */
  void limitFrames(int maxBytes);

  /** Closes after what was sent before has left; or at once, giving it up. */
  void close(boolean afterSending);

  /** Runs tasks one at a time, in order, never inside of one another. */
  Executor executor();

  /** Where the other end is. */
  String remoteAddress();
}
