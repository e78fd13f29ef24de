package io.millrace.jobtracker.domain.waiting;

import io.millrace.jobtracker.domain.trigger.Ranked;

/** A place in an order of waiting rows, whether a row has it or not. */
public record Rank(int priority, long dueAt, long id) implements Ranked {
  /** Before every row, in every order. */
  static final Rank START = new Rank(0, Long.MIN_VALUE, Long.MIN_VALUE);

  public static Rank of(Ranked row) {
    return new Rank(row.priority(), row.dueAt(), row.id());
  }

  /** Just before a row: behind every other that sorts before it. */
  static Rank before(Ranked row) {
    return new Rank(row.priority(), row.dueAt(), row.id() - 1);
  }
}
