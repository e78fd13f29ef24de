package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The waiting tables, one per node group. A group's table must exist: {@link NodeGroupStore}. */
public interface WaitingStore {

  /**
   * Inserts rows.
   *
   * @throws DuplicateKeyException if a trigger of one of the keys waits already
   */
  void insert(String nodeGroup, List<WaitingTrigger> triggers);

  /**
   * Deletes rows by id and returns how many there were. If fewer than asked, the count does not say
   * which: roll back and use {@link #deleteEach}.
   */
  int delete(String nodeGroup, Collection<Long> ids);

  /** Deletes rows one by one and returns the ids of those that were there. */
  Set<Long> deleteEach(String nodeGroup, Collection<Long> ids);

  /**
   * Whether a row is there; it stays so until the caller's transaction is over. Waits for a
   * transaction that has deleted it and may yet roll back.
   */
  boolean lock(String nodeGroup, long id);

  /** The parameters of these rows, as JSON, by id; rows without parameters or gone are left out. */
  Map<Long, String> readParams(String nodeGroup, Collection<Long> ids);

  /**
   * A priority that rows have.
   *
   * @param earliestDueAt when the first of them falls due; {@link WaitingTrigger#HELD} if all wait
   *     for their turn
   */
  record Level(int priority, long earliestDueAt) {}

  /**
   * The lowest priority above this one that any row has; -1 asks for the lowest of all. One step in
   * the index, whatever waits.
   */
  Optional<Level> nextLevel(String nodeGroup, int above);

  /**
   * The rows of one priority that fall due in (dueAfter, dueUntil], in order of due time and id, at
   * most limit; larger parameters are left in the store. One index range read, whatever waits.
   */
  List<WaitingTrigger> readDue(
      String nodeGroup, int priority, long dueAfter, long dueUntil, int limit);

  /**
   * The rows of one priority that fall due at this very instant and have an id above this one, in
   * order of id, at most limit; larger parameters are left in the store. With {@link #readDue} it
   * reads on behind a row, at an instant at which many fall due. One index range read.
   */
  List<WaitingTrigger> readDueAt(
      String nodeGroup, int priority, long dueAt, long aboveId, int limit);

  /** The waiting one-shots of these task ids, larger parameters left in the store. */
  List<WaitingTrigger> findOneShots(String nodeGroup, Collection<String> taskIds);

  /** Every waiting row of one task id, parameters left in the store, in order of planned time. */
  List<WaitingTrigger> findByTask(String nodeGroup, String taskId);

  /**
   * The waiting rows of one task id that were planned at this instant or later, parameters left in
   * the store, in order of planned time and ordinal, at most limit. A one-shot comes before all.
   */
  List<WaitingTrigger> findByTask(String nodeGroup, String taskId, long plannedFrom, int limit);

  /**
   * The waiting rows of a task id behind this trigger, parameters left in the store, in order of
   * planned time and ordinal, at most limit.
   */
  List<WaitingTrigger> readByTask(String nodeGroup, TriggerKey behind, int limit);

  /**
   * Task ids of waiting one-shots near this one in the alphabet, itself included. Reads this many
   * rows in each direction at most, those of recurring jobs among them.
   */
  Set<String> oneShotsNear(String nodeGroup, String taskId, int rows);

  /**
   * The triggers of a job that wait for their turn, in order of planned time, at most limit; larger
   * parameters are left in the store.
   */
  List<WaitingTrigger> findHeld(String nodeGroup, String taskId, int limit);

  /**
   * The triggers that these jobs' schedules have planned for instants before this one and that have
   * not begun, nor wait for their turn; at most limit, in no order.
   */
  List<WaitingTrigger> findUnbegun(
      String nodeGroup, Collection<String> taskIds, long plannedBefore, int limit);

  /** The same of one job, oldest first: the limit leaves the latest out. */
  List<WaitingTrigger> findOldestUnbegun(
      String nodeGroup, String taskId, long plannedBefore, int limit);

  /**
   * A waiting row without what it is to do.
   *
   * @param jobVersion of the definition it was generated from; 0 for a one-shot
   */
  record ListedTrigger(long id, TriggerKey key, long jobId, int jobVersion) {}

  /** The rows with an id above this one, in order of id. */
  List<ListedTrigger> list(String nodeGroup, long aboveId, int limit);

  /**
   * How many triggers of a recurring job wait.
   *
   * @param planned those that its schedule planned
   * @param ahead those of them that are planned for the time that was asked for
   * @param begun those that run: drawn or called up before, and not held
   * @param held those that wait for their turn
   */
  record Tally(String taskId, int planned, int ahead, int begun, int held) {}

  /**
   * Counts the triggers of recurring jobs by task id; a task id of which none waits is left out.
   * Reads all waiting rows of these task ids.
   *
   * @param after with until, the time of which triggers count as ahead: planned in (after, until]
   */
  List<Tally> tally(String nodeGroup, Collection<String> taskIds, long after, long until);

  /**
   * When the first of the rows that fall due after this instant does; those that wait for their
   * turn do not. One step in the index for each priority that rows have, or two.
   */
  OptionalLong nextDue(String nodeGroup, long after);

  /** How many rows of the group are due at this instant, counted up to the bound. */
  long countDue(String nodeGroup, long dueUntil, int bound);
}
