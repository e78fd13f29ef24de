package io.millrace.jobtracker.purge;

import java.util.function.IntSupplier;

/**
 * The bounds of one run, which keep the run and its transactions short.
 *
 * @param chunk rows that one transaction looks at or deletes
 * @param chunksPerRun chunks of each kind of rows in one run
 * @param countedPerRun ledger rows counted in one run
 */
record PurgeBounds(int chunk, int chunksPerRun, int countedPerRun) {
  static final PurgeBounds DEFAULT = new PurgeBounds(1_000, 20, 100_000);

  /**
   * Deletes chunks until one is not full, or until the run has reached its bound.
   *
   * @param nextChunk deletes a chunk and returns the number of deleted rows
   */
  DeleteResult delete(IntSupplier nextChunk) {
    long total = 0;
    for (int i = 0; i < chunksPerRun; i++) {
      int deleted = nextChunk.getAsInt();
      total += deleted;
      if (deleted < chunk) {
        return new DeleteResult(total, false);
      }
    }
    return new DeleteResult(total, true);
  }
}
