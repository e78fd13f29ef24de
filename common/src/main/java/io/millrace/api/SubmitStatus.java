package io.millrace.api;

/** What happened to one submitted job. */
public enum SubmitStatus {
  /** Stored; it will run. */
  ACCEPTED,
  /** A live job has this key already; nothing was changed. */
  DUPLICATE,
  /** The live job with this key was replaced. */
  REPLACED,
  /** Not stored; the reason says what to change. */
  REJECTED,
  /**
   * No tracker has answered; the client keeps the job in its outbox until one does. Set by clients
   * only, never by a tracker.
   */
  SAVED_LOCALLY,
  /** A value of a newer protocol. */
  UNKNOWN
}
