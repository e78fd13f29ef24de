package io.millrace.common.protocol;

/**
 * What became of one reported result. With ACCEPTED and REFUSED the worker lets go of the
 * execution; with anything else it keeps the result and sends it again later.
 */
public enum CompletionStatus {
  /** Recorded, now or by an earlier report of the same execution. */
  ACCEPTED,
  /** The execution was taken from this worker before; the result does not count. */
  REFUSED,
  /** It cannot be stored now, although others of the report can. */
  TRY_AGAIN,
  /** A value of a newer protocol. */
  UNKNOWN
}
