package io.millrace.jobtracker.domain.trigger;

/** What waiting rows are ordered by. No two rows have one id. */
public interface Ranked {
  /** 0 to 255, lower first. */
  int priority();

  /** When the next attempt may start, in epoch milliseconds. */
  long dueAt();

  /** Of the row. */
  long id();
}
