package io.millrace.internal.rpc;

/** Why an end closed a connection. Closed connections are counted by reason. */
public enum CutReason {
  /** The bytes are not a frame, or the protocol does not allow the frame. */
  PROTOCOL,
  /** The handshake was rejected for another reason than the caller's proof. */
  REFUSED,
  /** The caller's proof of the token was wrong. */
  WRONG_PROOF,
  /** The handshake did not end in time. */
  SLOW_HANDSHAKE,
  /** Too many handshakes were under way, and this one was the oldest. */
  CROWDED_OUT,
  /** A frame was not complete in time. */
  SLOW_FRAME,
  /** The peer did not read: the bound of unsent bytes of one connection was exceeded. */
  UNSENT,
  /**
   * The bound of unsent bytes of all connections was exceeded, and this one had unsent bytes for
   * the longest time.
   */
  UNSENT_OF_ALL,
  /**
   * The bound of incomplete frames of all connections was exceeded, and this one's frame was the
   * oldest.
   */
  RECEIVED_OF_ALL,
  /** Nothing was received within the idle time-out. */
  SILENT,
  /** This end failed to process a frame. */
  FAILED
}
