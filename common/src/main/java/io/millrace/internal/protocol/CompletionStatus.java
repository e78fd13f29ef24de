package io.millrace.internal.protocol;

/**
 * What happened to one reported result. On ACCEPTED and REFUSED the worker releases the execution;
 * on any other status it keeps the result and sends it again later.
 */
public enum CompletionStatus {
  /** Recorded, now or by an earlier report of the same execution. */
  ACCEPTED,
  /** The execution was taken away from this worker before; the result does not count. */
  REFUSED,
  /** This result cannot be stored now, although others of the report can. */
  TRY_AGAIN,
  /** A value of a newer protocol. */
  UNKNOWN
}
