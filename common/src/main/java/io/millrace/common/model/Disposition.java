package io.millrace.common.model;

/** The recorded end of one planned trigger. Every planned trigger gets exactly one. */
public enum Disposition {
  /** The job did its work. */
  SUCCEEDED,
  /** The job said that it failed. */
  FAILED,
  /** Every attempt was used up, or the exception was of a kind that is not retried. */
  DEAD,
  /** The job was cancelled or replaced before it succeeded. */
  CANCELLED,
  /** Its instant was missed; it never ran. */
  SKIPPED,
  /** A value of a newer protocol. */
  UNKNOWN
}
