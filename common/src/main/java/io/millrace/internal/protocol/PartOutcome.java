package io.millrace.internal.protocol;

/** How a part of a run ended. */
public enum PartOutcome {
  SUCCEEDED,
  FAILED,
  DEAD,
  CANCELLED,
  SKIPPED,
  /** A value of a newer protocol. */
  UNKNOWN
}
