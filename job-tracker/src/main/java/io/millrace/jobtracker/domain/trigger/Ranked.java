package io.millrace.jobtracker.domain.trigger;

/** The values that order waiting rows. Ids are unique. */
public interface Ranked {
  /** The priority, 0 to 255, lower first. */
  int priority();

  /** When the next attempt may start, in epoch milliseconds. */
  long dueAt();

  /** The id of the row. */
  long id();
}
