package io.millrace.jobtracker.purge;

import java.util.function.IntSupplier;

/**
 * How much one run does, so that it is short and its transactions are.
 *
 * @param chunk rows that one transaction looks at or deletes
 * @param chunksPerRun chunks of each kind of rows in one run
 * @param countedPerRun rows of the ledger counted in one run
 */
record PurgeBounds(int chunk, int chunksPerRun, int countedPerRun) {
  static final PurgeBounds DEFAULT = new PurgeBounds(1_000, 20, 100_000);

  /**
   * Deletes chunk after chunk, until one is not full or enough was done for one run.
   *
   * @param nextChunk deletes a chunk and returns how many rows it was
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
