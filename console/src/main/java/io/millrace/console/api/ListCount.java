package io.millrace.console.api;

import io.millrace.jobtracker.store.ListCounts;

/**
 * How many entries of a list match.
 *
 * @param count those that were found
 * @param atLeast whether there may be more, because the count stopped at its bound
 */
public record ListCount(int count, boolean atLeast) {
  /** The most rows that a count examines. */
  public static final int LOOK_AT = 10_000;

  /** The answer for the result of a count. */
  public static ListCount of(ListCounts.Count count) {
    return new ListCount(count.found(), count.isCut());
  }
}
