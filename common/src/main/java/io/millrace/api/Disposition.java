package io.millrace.api;

/** The recorded end of one planned trigger. Every planned trigger has exactly one. */
public enum Disposition {
  /** The job did its work. */
  SUCCEEDED,
  /** The job reported that it failed. */
  FAILED,
  /** All attempts were used up, or the exception is one that is not retried. */
  DEAD,
  /** The job was cancelled or replaced before it succeeded. */
  CANCELLED,
  /**
   * The trigger did not run: its fire time was missed or fell into a pause, or the overlap policy
   * skipped it.
   */
  SKIPPED,
  /** A value of a newer protocol. */
  UNKNOWN
}
