package io.millrace.api;

/** The outcome of a request to pause, to resume or to run a job now. */
public enum ChangeStatus {
  /** The request was applied. */
  CHANGED,
  /** The job was in the requested state already; nothing changed. */
  UNCHANGED,
  /** No job with this key is known. */
  NOT_FOUND,
  /** The request does not apply to this job; the message says why. */
  REFUSED,
  /** A value of a newer protocol. */
  UNKNOWN
}
