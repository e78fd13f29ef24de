package io.millrace.common.model;

/** What a request to pause or to resume a job did. */
public enum ChangeStatus {
  /** It is done. */
  CHANGED,
  /** The job was so already; nothing changed. */
  UNCHANGED,
  /** No job of this key is known. */
  NOT_FOUND,
  /** The job cannot be changed so; the message says why. */
  REFUSED,
  /** A value of a newer protocol. */
  UNKNOWN
}
