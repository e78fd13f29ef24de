package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;

/** A place in an order of waiting rows; a row may or may not be there. */
public record SortKey(int priority, long dueAt, long id) implements Ranked {
  /** The place before every row, in every order. */
  static final SortKey START = new SortKey(0, Long.MIN_VALUE, Long.MIN_VALUE);

  public static SortKey of(Ranked row) {
    return new SortKey(row.priority(), row.dueAt(), row.id());
  }

  /** The place just before a row, and behind every other row that sorts before it. */
  static SortKey before(Ranked row) {
    return new SortKey(row.priority(), row.dueAt(), row.id() - 1);
  }
}
