package io.millrace.common.rpc;

/** Why an end closed a connection because of what the other end did. Lines are counted by it. */
public enum CutReason {
  /** The bytes are no frame, or the frames are not what the protocol allows. */
  PROTOCOL,
  /** The hello was refused. */
  REFUSED,
  /** The proof of the token was wrong. */
  WRONG_PROOF,
  /** The handshake was not over in time. */
  SLOW_HANDSHAKE,
  /** Others wanted to say hello, and this one had taken the longest. */
  CROWDED_OUT,
  /** A frame had begun, and was not complete in time. */
  SLOW_FRAME,
  /** It did not read what it was sent: more was unsent than one connection may have. */
  UNSENT,
  /** More was unsent than all connections may have, and this one had not read for the longest. */
  UNSENT_OF_ALL,
  /** Incomplete frames took more than all connections may have, and this one's was the oldest. */
  RECEIVED_OF_ALL,
  /** Nothing was heard of it. */
  SILENT,
  /** This end failed. */
  FAILED
}
