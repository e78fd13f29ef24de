package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.order.Direction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The live one-shots of a node group, in the order of their task ids. */
public interface OneShotStore {

  /**
   * Which one-shots to read.
   *
   * @param nodeGroup the node group, whose waiting table exists
   * @param prefix those whose task id has this prefix, found by the index; null means any
   * @param direction the order of the task ids
   * @param behind those whose task id comes behind this one; null for the beginning
   * @param limit the maximum of one-shots found
   * @param lookAt the maximum of rows read, whether they are of one-shots or not
   */
  record Range(
      String nodeGroup,
      @Nullable String prefix,
      Direction direction,
      @Nullable String behind,
      int limit,
      int lookAt) {

    /** A range in ascending order. */
    public Range(
        String nodeGroup, @Nullable String prefix, String aboveTaskId, int limit, int lookAt) {
      this(nodeGroup, prefix, Direction.ASCENDING, aboveTaskId, limit, lookAt);
    }
  }

  /**
   * A part of the one-shots.
   *
   * @param rows those found; may be few or none although there are more
   * @param next the task id behind which to continue; null if there are no more
   */
  record Part<T>(List<T> rows, @Nullable String next) {}

  /** The one-shots that wait, parameters left in the store. */
  Part<WaitingTrigger> readWaiting(Range range);

  /** The one-shots that run, parameters left in the store. */
  Part<Execution> readExecuting(Range range);

  /** The one-shots that were split and whose parts run, parameters left in the store. */
  Part<Execution> readSplit(Range range);
}
