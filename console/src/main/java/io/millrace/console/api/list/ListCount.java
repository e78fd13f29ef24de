package io.millrace.console.api.list;

import io.millrace.jobtracker.store.ListCounts;

/**
 * How many entries of a list match.
 *
 * @param count those that were found
 * @param examined how many rows were examined, whether they match or not
 * @param atLeast whether there may be more, because the count stopped before the last row
 */
public record ListCount(int count, int examined, boolean atLeast) {

  /** The answer for the result of a count. */
  static ListCount of(ListCounts.Count count) {
    return new ListCount(count.found(), count.examined(), count.isCut());
  }
}
