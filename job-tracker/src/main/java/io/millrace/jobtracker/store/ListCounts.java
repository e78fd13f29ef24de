package io.millrace.jobtracker.store;

import org.jspecify.annotations.Nullable;

/**
 * Counts what lists have. Each count examines at most {@code lookAt} rows, whether they match or
 * not, and one more to tell whether there are more. The conditions are those of the searches that
 * the lists are read with.
 */
public interface ListCounts {

  /**
   * The result of a count.
   *
   * @param found those that match among the rows that were examined
   * @param isCut whether there are rows that were not examined
   */
  record Count(int found, boolean isCut) {}

  /** The jobs that match, live or not. */
  Count jobs(JobStore.Search search, int lookAt);

  /** All triggers of a node group that wait. */
  Count waiting(String nodeGroup, int lookAt);

  /**
   * The one-shots of a node group that wait.
   *
   * @param prefix those whose task id has this prefix; null means any
   * @param handler those that run this handler; null means any
   */
  Count oneShots(String nodeGroup, @Nullable String prefix, @Nullable String handler, int lookAt);

  /**
   * What is under way: executions, and runs that were split; null means any.
   *
   * @param taskId those of this task id; only with a node group
   * @param workerId those that this worker holds: no worker holds a run that was split
   */
  record Running(@Nullable String nodeGroup, @Nullable String taskId, @Nullable String workerId) {}

  /** What is under way and matches. */
  Count running(Running search, int lookAt);

  /** The rows of the ledger that match, the newest of them. */
  Count ledger(LedgerStore.Search search, int lookAt);

  /** The rows of one job in the ledger that match. */
  Count ledgerOf(long jobId, LedgerStore.Search search, int lookAt);

  /** The dead triggers that match. */
  Count dead(DeadStore.Query query, int lookAt);
}
