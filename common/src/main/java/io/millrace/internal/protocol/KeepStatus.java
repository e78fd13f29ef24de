package io.millrace.internal.protocol;

/** The answer to a value that a worker wants to keep. */
public enum KeepStatus {
  /** The value is stored, now or by an earlier request of the same number. */
  KEPT,
  /** The worker does not hold the execution, or no longer: nothing was stored. */
  LOST,
  /** The value exceeds {@link KeepRequest#MAX_VALUE_BYTES}, or the run keeps too many bytes. */
  TOO_LARGE,
  /** The run has {@link KeepRequest#MAX_STEPS} steps already. */
  TOO_MANY,
  /** A step of this name is stored already, or numbers were left out. */
  CONFLICT,
  /** A value of a newer protocol. */
  UNKNOWN
}
