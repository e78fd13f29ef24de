package io.millrace.jobtracker.purge;

/**
 * What one portion of a purge came to.
 *
 * @param rows how many rows were deleted
 * @param more whether there may be more to do right away
 */
record Deleted(long rows, boolean more) {
  static final Deleted NOTHING = new Deleted(0, false);

  Deleted plus(Deleted other) {
    return new Deleted(rows + other.rows, more || other.more);
  }
}
