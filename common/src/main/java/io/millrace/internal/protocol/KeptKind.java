package io.millrace.internal.protocol;

/** What a run keeps between its attempts. */
public enum KeptKind {
  /** The value of a step that is done, as JSON; none for a step without a value. */
  STEP,
  /** A step that is done, but whose value could not be kept; the content says why. */
  FAULT,
  /** The last checkpoint, as JSON. */
  CHECKPOINT,
  /** A value of a newer protocol. */
  UNKNOWN
}
