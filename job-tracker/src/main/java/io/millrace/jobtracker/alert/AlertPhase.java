package io.millrace.jobtracker.alert;

/** What a message says of the thing it is about. */
public enum AlertPhase {
  /** It happened, and does not go on. */
  HAPPENED,
  /** It began, and goes on. */
  BEGAN,
  /** It has been told before, and goes on. */
  GOES_ON,
  /** It has been told before, and is over. */
  OVER,
  /** It has been told before, and another tracker watches the node group from now on. */
  LEFT
}
