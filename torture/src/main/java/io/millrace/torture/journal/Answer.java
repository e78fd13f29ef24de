package io.millrace.torture.journal;

/** The result of a client's request. */
public enum Answer {
  /** The job is stored. */
  ACCEPTED,
  /** The job is stored and has replaced another one. */
  REPLACED,
  /** A live job has the same key. */
  DUPLICATE,
  /** The request is saved on the client's disk and will be sent later, also after a restart. */
  SAVED_LOCALLY,
  /** A cancel, a pause or a resume is done, or was done before. */
  DONE,
  /** Nothing was done; the message gives the reason. */
  REFUSED,
  /** The request was certainly not executed and may be repeated. */
  FAILED,
  /** It is unknown whether the request was executed. */
  UNKNOWN;

  /** Returns whether the client does not need to repeat the request. */
  public boolean isFinal() {
    return this != UNKNOWN && this != FAILED;
  }

  /** Returns whether a job is stored. */
  public boolean isStored() {
    return this == ACCEPTED || this == REPLACED;
  }
}
