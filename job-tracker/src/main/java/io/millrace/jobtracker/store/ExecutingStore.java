package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The running executions of all node groups. */
public interface ExecutingStore {

  /**
   * Inserts executions.
   *
   * @throws DuplicateKeyException if an execution of one of the triggers is running
   */
  void insert(List<Execution> executions);

  /** The executions of these ids, larger parameters left in the store; missing rows are omitted. */
  List<Execution> find(Collection<Long> ids);

  /**
   * Returns those of these executions that were recently inserted through this store instance, as
   * they were inserted, parameters left in the store. Does not query the database: a row may have
   * been deleted or changed since, which {@link #deleteUntouched} detects. Omits executions that
   * {@linkplain Execution#counted() count}, and those for which a delete was attempted.
   */
  List<Execution> recall(Collection<Long> ids);

  /**
   * The executions of a node group with an id above this one, in order of id, larger parameters
   * left in the store.
   */
  List<Execution> findByGroup(String nodeGroup, long aboveId, int limit);

  /** The executions of these task ids, larger parameters left in the store. */
  List<Execution> findByTasks(String nodeGroup, Collection<String> taskIds);

  /**
   * The conditions of a search; null means any.
   *
   * @param nodeGroup those of this node group
   * @param workerId those that this worker holds
   */
  record Search(@Nullable String nodeGroup, @Nullable String workerId) {}

  /**
   * The result of a search.
   *
   * @param next the id behind which to continue; null if there are no more rows
   */
  record Found(List<Execution> executions, @Nullable Long next) {}

  /**
   * Returns executions behind an id, parameters left in the store, in order of id. A page may be
   * short or empty although rows remain.
   *
   * @param limit the maximum of executions found
   * @param lookAt the maximum of executions read, whether they match or not
   */
  Found search(Search search, AgeOrder order, long behindId, int limit, int lookAt);

  /** As {@link #search(Search, AgeOrder, long, int, int)}, the oldest first. */
  default Found search(Search search, long aboveId, int limit, int lookAt) {
    return search(search, AgeOrder.OLDEST_FIRST, aboveId, limit, lookAt);
  }

  /** Deletes rows by id and returns how many there were; see {@link WaitingStore#delete}. */
  int delete(Collection<Long> ids);

  /**
   * Deletes those of these rows that have no stop request and returns how many there were; see
   * {@link WaitingStore#delete}. For triggers that continue: a cancelled one must not.
   */
  int deleteUnstopped(Collection<Long> ids);

  /**
   * Deletes those of these rows that do not count in their job's number of running triggers, and
   * returns how many there were; see {@link WaitingStore#delete}. To delete a row that counts, the
   * caller first writes the job's row.
   */
  int deleteUncounted(Collection<Long> ids);

  /**
   * Deletes those of these rows that are unchanged since they were {@linkplain #recall recalled},
   * and returns how many there were; see {@link WaitingStore#delete}. It checks every column that
   * can change: whether the row counts, and whether it has a stop request, which a termination sets
   * too.
   */
  int deleteUntouched(Collection<Long> ids);

  /** Deletes rows one by one and returns the ids of those that were there. */
  Set<Long> deleteEach(Collection<Long> ids);

  /** Locks a row and returns whether it exists; see {@link WaitingStore#lock}. */
  boolean lock(long id);

  /**
   * Returns the parameters of these rows, as JSON, by id; omits rows that have none or do not
   * exist.
   */
  Map<Long, String> readParams(Collection<Long> ids);

  /** Marks the executions of a task id so that no attempt follows; returns how many there are. */
  int requestStop(String nodeGroup, String taskId);

  /**
   * Marks executions of a task id as terminated, so that no attempt follows; the first one to
   * terminate an execution stays recorded.
   *
   * @param executionId only this execution; null means all
   * @param by who terminates them
   * @return how many there are
   */
  int terminate(String nodeGroup, String taskId, @Nullable Long executionId, String by);
}
