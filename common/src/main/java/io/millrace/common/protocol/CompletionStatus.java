package io.millrace.common.protocol;

/** What became of one reported result. After each of them the worker lets go of the execution. */
public enum CompletionStatus {
  /** Recorded, now or by an earlier report of the same execution. */
  ACCEPTED,
  /** The execution was taken from this worker before; the result does not count. */
  REFUSED,
  /** A value of a newer protocol. */
  UNKNOWN
}
