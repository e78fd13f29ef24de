package io.millrace.jobtracker.domain.outcome;

/** What has become of a dead trigger. */
public enum DeadState {
  /** Nobody has done anything about it. */
  OPEN,
  /** A new trigger was written in its place. */
  REPLAYED,
  /** An operator has said that it is to be left. */
  DISCARDED
}
