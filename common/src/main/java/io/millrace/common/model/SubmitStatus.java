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
  /**
   * No tracker has answered; the client keeps the job in its outbox until one does. Said by clients
   * only, never by a tracker.
   */
  SAVED_LOCALLY,
  /** A value of a newer protocol. */
  UNKNOWN
}
