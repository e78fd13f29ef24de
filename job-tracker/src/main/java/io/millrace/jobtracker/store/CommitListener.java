package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;

/**
 * Receives the rows that transactions have written, after their commit, whichever package wrote
 * them; rows that were rolled back are never reported. Called on the thread that committed, so it
 * must be quick and must not throw. Thread-safe.
 */
public interface CommitListener {

  /**
   * New triggers were stored to wait for their time. Triggers that come back or are held until
   * their turn do not count.
   */
  default void planned(String nodeGroup, long triggers) {}

  /** The end of an execution or of a trigger was added to the ledger. */
  default void ended(LedgerEntry row) {}
}
