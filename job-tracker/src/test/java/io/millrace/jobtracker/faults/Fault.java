package io.millrace.jobtracker.faults;

/** What happens at one point. */
enum Fault {
  /** There is no connection to begin the transaction on. */
  UNREACHABLE,
  /** The connection breaks before the commit arrives. */
  COMMIT_LOST,
  /** The connection breaks before the answer to the commit arrives. */
  ANSWER_LOST,
  /** As {@link #COMMIT_LOST}, and the store stays away for a while. */
  COMMIT_LOST_AND_STORE_GONE,
  /** As {@link #ANSWER_LOST}, and the store stays away for a while. */
  ANSWER_LOST_AND_STORE_GONE,
  /** The tracker's process ends before the commit. */
  HALT_BEFORE_COMMIT,
  /** The tracker's process ends after the commit, before anybody is told. */
  HALT_AFTER_COMMIT,
  /** The connection to the node that has asked breaks before the reply. */
  REPLY_LOST,
  /** The tracker's process ends before the reply. */
  HALT_BEFORE_REPLY,
  /** The tracker's process ends when the reply has left. */
  HALT_AFTER_REPLY;

  boolean isAtCommit() {
    return compareTo(REPLY_LOST) < 0;
  }

  /** Whether nobody who has asked should notice: what became of the commit is found out. */
  boolean isFoundOut() {
    return this == COMMIT_LOST || this == ANSWER_LOST;
  }

  boolean halts() {
    return name().startsWith("HALT");
  }
}
