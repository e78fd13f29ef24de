package io.millrace.jobtracker.store.batch;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.order.Direction;
import java.util.Collection;
import java.util.List;

/**
 * The runs under way of all node groups: executions, and runs that were split into parts, each as
 * the execution that it was. Who asks whether a trigger, a task id or a submission lives asks for
 * waiting rows and then here. Each query is one statement that reads the tables in the order in
 * which a run moves, so that it misses none and finds none twice.
 */
public interface RunStore {

  /** The runs under way of these task ids, larger parameters left in the store. */
  List<Execution> findByTasks(String nodeGroup, Collection<String> taskIds);

  /**
   * The runs under way of one task id, parameters left in the store, in order of planned time and
   * ordinal, at most limit.
   */
  List<Execution> findByTask(String nodeGroup, String taskId, int limit);

  /**
   * The runs under way of one task id behind this trigger, parameters left in the store, in order
   * of planned time and ordinal, at most limit.
   */
  List<Execution> readByTask(String nodeGroup, Direction direction, TriggerKey behind, int limit);

  /** As {@link #readByTask(String, Direction, TriggerKey, int)}, in ascending order. */
  default List<Execution> readByTask(String nodeGroup, TriggerKey behind, int limit) {
    return readByTask(nodeGroup, Direction.ASCENDING, behind, limit);
  }

  /**
   * Sets whether the runs under way of a recurring job count in its number of running triggers, and
   * returns how many they are. The caller has written the job's row.
   *
   * @throws RaceLostException if one of them ended meanwhile
   */
  int setCounted(String nodeGroup, String taskId, boolean counted);
}
