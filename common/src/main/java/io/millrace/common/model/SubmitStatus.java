package io.millrace.common.model;

/** What became of one submitted job. */
public enum SubmitStatus {
  /** Stored; it will run. */
  ACCEPTED,
  /** A job of this key lives already; nothing was changed. */
  DUPLICATE,
  /** A job of this key lived and has been replaced. */
  REPLACED,
  /** Not stored; the reason says what to change. */
  REJECTED,
  /** A value of a newer protocol. */
  UNKNOWN
}
