package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Transactions;

/**
 * Deletes rows of one kind that have reached their age, each chunk in a transaction of its own.
 *
 * @param what names the transactions
 * @param oldest deletes the oldest of them
 */
record AgePurge(Transactions transactions, String what, PurgeBounds bounds, Chunk oldest) {

  /** Deletes up to so many rows that are too old now, and returns how many they were. */
  @FunctionalInterface
  interface Chunk {
    int delete(long now, int limit);
  }

  DeleteResult runOnce(long now) {
    return bounds.delete(
        () -> transactions.repeating(what, () -> oldest.delete(now, bounds.chunk())));
  }
}
