package io.millrace.jobtracker.purge;

/**
 * What one portion of a purge came to.
 *
 * @param rows how many rows were deleted
 * @param more whether there may be more to do right away
 */
record DeleteResult(long rows, boolean more) {
  static final DeleteResult NOTHING = new DeleteResult(0, false);

  DeleteResult plus(DeleteResult other) {
    return new DeleteResult(rows + other.rows, more || other.more);
  }
}
