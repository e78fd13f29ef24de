package io.millrace.benchmarks.pages;

/**
 * How much a tracker is filled with.
 *
 * @param jobs recurring jobs, each of which has run once
 * @param waiting one-shots that are due in a month or later
 * @param ended the least number of rows of the ledger
 */
record Rows(int jobs, int waiting, int ended) {
  private static final int RECURRING_SHARE = 100;

  /**
   * The least number of recurring jobs: more than a page shows, so that the page is not shorter
   * with few rows.
   */
  private static final int LEAST_RECURRING = 500;

  /** This number waits and has ended, and a hundredth of it recurs. */
  static Rows of(int rows) {
    return new Rows(Math.max(LEAST_RECURRING, rows / RECURRING_SHARE), rows, rows);
  }
}
