package io.millrace.jobtracker.domain.outcome;

/** What has been done about a dead trigger. */
public enum DeadState {
  /** Nothing has been done about it. */
  OPEN,
  /** A new trigger was written in its place. */
  REPLAYED,
  /** An operator has discarded it. */
  DISCARDED
}
