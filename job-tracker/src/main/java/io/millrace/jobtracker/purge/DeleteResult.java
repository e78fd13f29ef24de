package io.millrace.jobtracker.purge;

/**
 * The result of one portion of a purge.
 *
 * @param rows the number of deleted rows
 * @param more whether there may be more rows to delete at once
 */
record DeleteResult(long rows, boolean more) {
  static final DeleteResult NOTHING = new DeleteResult(0, false);

  DeleteResult plus(DeleteResult other) {
    return new DeleteResult(rows + other.rows, more || other.more);
  }
}
