package io.millrace.console.alert.monitor;

/** What a message says about the condition or event that it reports. */
public enum AlertPhase {
  /** It happened, and does not last. */
  HAPPENED,
  /** It began, and still holds. */
  BEGAN,
  /** It was reported before, and still holds. */
  GOES_ON,
  /** It was reported before, and is over. */
  OVER,
  /** It was reported before, and another tracker watches the node group from now on. */
  LEFT
}
