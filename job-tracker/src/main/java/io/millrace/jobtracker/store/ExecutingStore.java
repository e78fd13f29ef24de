package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The executions under way, of all node groups. */
public interface ExecutingStore {

  /**
   * Inserts executions.
   *
   * @throws DuplicateKeyException if an execution of one of the triggers is under way
   */
  void insert(List<Execution> executions);

  /** The executions of these ids, larger parameters left in the store; those gone are left out. */
  List<Execution> find(Collection<Long> ids);

  /**
   * Those of these executions that were inserted through this very store not long ago, as they were
   * inserted, parameters left in the store. Nothing is asked: a row may be gone by now, or changed,
   * which {@link #deleteUntouched} finds out. None that {@linkplain Execution#counted() counts},
   * and none that somebody tried to delete.
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
   * The executions of one task id, parameters left in the store, in order of planned time and
   * ordinal, at most limit.
   */
  List<Execution> findByTask(String nodeGroup, String taskId, int limit);

  /**
   * The executions of one task id behind this trigger, parameters left in the store, in order of
   * planned time and ordinal, at most limit.
   */
  List<Execution> readByTask(String nodeGroup, TriggerKey behind, int limit);

  /**
   * Which executions to look for; null means whichever.
   *
   * @param nodeGroup those of this one
   * @param workerId those that this worker has
   */
  record Search(@Nullable String nodeGroup, @Nullable String workerId) {}

  /**
   * What a search has come to.
   *
   * @param next the id above which to go on; null if there is nothing more
   */
  record Found(List<Execution> executions, @Nullable Long next) {}

  /**
   * Executions with an id above this one, parameters left in the store, in order of id: the oldest
   * first. It may find fewer than asked for, or none, and yet have more to look at.
   *
   * @param limit of executions found
   * @param lookAt of executions looked at, however few of them are wanted
   */
  Found search(Search search, long aboveId, int limit, int lookAt);

  /** Deletes rows by id and returns how many there were; see {@link WaitingStore#delete}. */
  int delete(Collection<Long> ids);

  /**
   * Deletes those of these rows that nobody has asked to stop and returns how many there were; see
   * {@link WaitingStore#delete}. For triggers that live on: one that was cancelled must not.
   */
  int deleteUnstopped(Collection<Long> ids);

  /**
   * Deletes those of these rows that do not count in their job's number of running triggers, and
   * returns how many there were; see {@link WaitingStore#delete}. Whoever deletes one that counts
   * writes the job's row first.
   */
  int deleteUncounted(Collection<Long> ids);

  /**
   * Deletes those of these rows that are as they were when they were {@linkplain #recall recalled},
   * and returns how many there were; see {@link WaitingStore#delete}. It asks for all that is ever
   * changed in a row: whether it counts, and whether it was asked to stop, which who terminates it
   * does too.
   */
  int deleteUntouched(Collection<Long> ids);

  /**
   * Makes the executions of a recurring job count in its number of running triggers, or not, and
   * returns how many executions it has. The caller has written the job's row.
   *
   * @throws RaceLostException if one of them ended meanwhile
   */
  int setCounted(String nodeGroup, String taskId, boolean counted);

  /** Deletes rows one by one and returns the ids of those that were there. */
  Set<Long> deleteEach(Collection<Long> ids);

  /** Whether a row is there; see {@link WaitingStore#lock}. */
  boolean lock(long id);

  /** The parameters of these rows, as JSON, by id; rows without parameters or gone are left out. */
  Map<Long, String> readParams(Collection<Long> ids);

  /** Marks the executions of a task id so that no attempt follows; returns how many there are. */
  int requestStop(String nodeGroup, String taskId);

  /**
   * Marks executions of a task id as terminated, so that no attempt follows; whoever was first to
   * terminate one stays recorded.
   *
   * @param executionId only this one; null means all
   * @param by who terminates them
   * @return how many there are
   */
  int terminate(String nodeGroup, String taskId, @Nullable Long executionId, String by);
}
