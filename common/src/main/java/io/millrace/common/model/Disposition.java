package io.millrace.common.model;

/** The recorded end of one planned trigger. Every planned trigger gets exactly one. */
public enum Disposition {
  SUCCEEDED,
  FAILED,
  /** Every attempt was used up, or the exception was of a kind that is not retried. */
  DEAD,
  CANCELLED,
  SKIPPED,
  /** A value of a newer protocol. */
  UNKNOWN
}
