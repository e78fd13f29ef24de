package io.millrace.torture.journal;

/** What a client was told about something it had asked for. */
public enum Answer {
  /** A job is stored. */
  ACCEPTED,
  /** A job is stored, and another one gone. */
  REPLACED,
  /** A job of the key lives. */
  DUPLICATE,
  /** It is kept on the client's disk and will be asked for, also by the next start. */
  SAVED_LOCALLY,
  /** A cancel, a pause or a resume is done, or was done before. */
  DONE,
  /** Nothing was done, and the words say why. */
  REFUSED,
  /** It was certainly not done, and may be asked for again. */
  FAILED,
  /** Nobody knows whether it was done. */
  UNKNOWN;

  /** Whether a client needs not ask again. */
  public boolean isFinal() {
    return this != UNKNOWN && this != FAILED;
  }

  /** Whether a job is stored by it. */
  public boolean isStored() {
    return this == ACCEPTED || this == REPLACED;
  }
}
