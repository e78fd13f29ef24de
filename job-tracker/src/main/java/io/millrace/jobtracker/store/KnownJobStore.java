package io.millrace.jobtracker.store;

import java.util.Collection;
import java.util.Set;

/**
 * What is known of jobs outside the waiting tables: asked of the executing table, the job
 * definitions and the ledger together, and mostly answered by nothing. What exactly is known, the
 * stores of those tables tell.
 */
public interface KnownJobStore {

  /**
   * A job as its submit names it.
   *
   * @param taskId unique in its node group while the job lives
   * @param submissionId the same on every resend
   */
  record Identity(String taskId, String submissionId) {}

  /**
   * The task ids of those of these jobs of which anything is known: the node group has an execution
   * or a definition of the task id, in whatever state, or the ledger knows the submission id. The
   * answer is of one state of the store, so that a job which moves meanwhile from one of these
   * tables to another is not missed.
   *
   * @param jobs of distinct task ids
   */
  Set<String> findKnown(String nodeGroup, Collection<Identity> jobs);
}
