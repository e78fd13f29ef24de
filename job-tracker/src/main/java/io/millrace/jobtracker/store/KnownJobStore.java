package io.millrace.jobtracker.store;

import java.util.Collection;
import java.util.Set;

/**
 * Looks up jobs in the executing table, the batches, the job definitions and the ledger together,
 * outside the waiting tables. Most lookups find nothing. The stores of those tables return the
 * details.
 */
public interface KnownJobStore {

  /**
   * A job as its submit names it.
   *
   * @param taskId unique in its node group while the job lives
   * @param submissionId stays the same on every resend
   */
  record Identity(String taskId, String submissionId) {}

  /**
   * Returns the task ids of the known jobs: the node group has a run or a definition of the task
   * id, in any state, or the ledger has the submission id. The result reflects one state of the
   * store, so it does not miss a job that moves between these tables meanwhile.
   *
   * @param jobs of distinct task ids
   */
  Set<String> findKnown(String nodeGroup, Collection<Identity> jobs);
}
