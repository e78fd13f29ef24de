package io.millrace.jobtracker.purge;

/**
 * How much one run does, so that it is short and its transactions are.
 *
 * @param chunk rows that one transaction looks at or deletes
 * @param chunksPerRun chunks of each kind of rows in one run
 * @param countedPerRun rows of the ledger counted in one run
 */
record Portions(int chunk, int chunksPerRun, int countedPerRun) {
  static final Portions DEFAULT = new Portions(1_000, 20, 100_000);
}
