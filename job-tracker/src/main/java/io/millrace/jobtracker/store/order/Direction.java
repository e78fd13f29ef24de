package io.millrace.jobtracker.store.order;

/** The direction in which a list is read along its key. */
public enum Direction {
  ASCENDING,
  DESCENDING
}
