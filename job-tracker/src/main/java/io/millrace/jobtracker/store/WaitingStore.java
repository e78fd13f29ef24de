package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.Direction;
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
   * Deletes rows by id and returns how many there were. If the count is lower than requested, it
   * does not say which rows are missing: roll back and use {@link #deleteEach}.
   */
  int delete(String nodeGroup, Collection<Long> ids);

  /** Deletes rows one by one and returns the ids of those that were there. */
  Set<Long> deleteEach(String nodeGroup, Collection<Long> ids);

  /**
   * Locks a row until the caller's transaction ends, and returns whether the row exists. Waits for
   * a transaction that has deleted it and may still roll back.
   */
  boolean lock(String nodeGroup, long id);

  /**
   * Returns the parameters of these rows, as JSON, by id; omits rows that have none or do not
   * exist.
   */
  Map<Long, String> readParams(String nodeGroup, Collection<Long> ids);

  /**
   * A lane and a priority that rows have, as one number: with a lane of {@code n}, from 256 {@code
   * n}. The levels of lane 0 are its priorities.
   *
   * @param earliestDueAt the earliest due time of its rows; {@link WaitingTrigger#HELD} if all wait
   *     for their turn
   */
  record Level(int number, long earliestDueAt) {
    private static final int PRIORITIES = 256;

    public static int numberOf(int lane, int priority) {
      return lane * PRIORITIES + priority;
    }

    public static int laneOf(int number) {
      return number / PRIORITIES;
    }

    public static int priorityOf(int number) {
      return number % PRIORITIES;
    }

    public int lane() {
      return laneOf(number);
    }

    public int priority() {
      return priorityOf(number);
    }
  }

  /**
   * Returns the lowest level of any row above this number; -1 returns the lowest of all. One or two
   * index steps, regardless of the number of rows.
   */
  Optional<Level> nextLevel(String nodeGroup, int above);

  /**
   * The rows of one level that fall due in (dueAfter, dueUntil], in order of due time and id, at
   * most limit; larger parameters are left in the store. One index range read, regardless of the
   * number of rows.
   */
  List<WaitingTrigger> readDue(
      String nodeGroup, int level, long dueAfter, long dueUntil, int limit);

  /**
   * The rows of one level that fall due exactly at this instant and have an id above this one, in
   * order of id, at most limit; larger parameters are left in the store. Together with {@link
   * #readDue} it continues behind a row when many rows fall due at the same instant. One index
   * range read.
   */
  List<WaitingTrigger> readDueAt(String nodeGroup, int level, long dueAt, long aboveId, int limit);

  /** A place among the rows of a level: directly beside a row with this due time and id. */
  record DuePlace(long dueAt, long id) {

    /** Before all rows in this direction. */
    public static DuePlace start(Direction direction) {
      long end = direction == Direction.ASCENDING ? Long.MIN_VALUE : Long.MAX_VALUE;
      return new DuePlace(end, end);
    }
  }

  /**
   * The rows of one level behind a place, in order of due time and id, at most limit; larger
   * parameters are left in the store. Rows that wait for their turn come last in ascending order.
   * Two index range reads, regardless of the number of rows.
   */
  List<WaitingTrigger> readByDue(
      String nodeGroup, int level, Direction direction, DuePlace behind, int limit);

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
  List<WaitingTrigger> readByTask(
      String nodeGroup, Direction direction, TriggerKey behind, int limit);

  /** As {@link #readByTask(String, Direction, TriggerKey, int)}, in ascending order. */
  default List<WaitingTrigger> readByTask(String nodeGroup, TriggerKey behind, int limit) {
    return readByTask(nodeGroup, Direction.ASCENDING, behind, limit);
  }

  /**
   * Returns task ids of waiting one-shots near this one in alphabetical order, including this one.
   * Reads at most this many rows in each direction, including those of recurring jobs.
   */
  Set<String> oneShotsNear(String nodeGroup, String taskId, int rows);

  /**
   * The triggers of a job that wait for their turn, in order of planned time, at most limit; larger
   * parameters are left in the store.
   */
  List<WaitingTrigger> findHeld(String nodeGroup, String taskId, int limit);

  /**
   * The triggers that these jobs' schedules have planned for instants before this one and that have
   * neither begun nor wait for their turn; at most limit, in no order.
   */
  List<WaitingTrigger> findUnbegun(
      String nodeGroup, Collection<String> taskIds, long plannedBefore, int limit);

  /** As {@link #findUnbegun}, for one job, oldest first: the limit cuts off the latest. */
  List<WaitingTrigger> findOldestUnbegun(
      String nodeGroup, String taskId, long plannedBefore, int limit);

  /**
   * A waiting row without its task.
   *
   * @param jobVersion of the definition it was generated from; 0 for a one-shot
   */
  record ListedTrigger(long id, TriggerKey key, long jobId, int jobVersion) {}

  /** The rows with an id above this one, in order of id. */
  List<ListedTrigger> list(String nodeGroup, long aboveId, int limit);

  /**
   * The numbers of waiting triggers of a recurring job.
   *
   * @param planned those that its schedule planned
   * @param ahead those of them that are planned for the requested time
   * @param begun those that have begun: claimed or called up before, and not held
   * @param held those that wait for their turn
   */
  record Tally(String taskId, int planned, int ahead, int begun, int held) {}

  /**
   * Counts the triggers of recurring jobs by task id; task ids without waiting triggers are
   * omitted. Reads all waiting rows of these task ids.
   *
   * @param after with until, the range of planned times that count as ahead: (after, until]
   */
  List<Tally> tally(String nodeGroup, Collection<String> taskIds, long after, long until);

  /**
   * Returns the earliest due time after this instant, ignoring rows that wait for their turn. One
   * or two index steps for each priority in use.
   */
  OptionalLong nextDue(String nodeGroup, long after);

  /** Returns how many rows of the group are due at this instant, counted up to the bound. */
  long countDue(String nodeGroup, long dueUntil, int bound);

  /** As {@link #countDue(String, long, int)}, of one lane. */
  long countDue(String nodeGroup, int lane, long dueUntil, int bound);
}
