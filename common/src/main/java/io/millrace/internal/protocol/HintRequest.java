package io.millrace.internal.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notifies another tracker of stored rows that it should read soon. These are only hints: a tracker
 * that misses them finds the rows by its own timers.
 *
 * @param triggers node groups with new rows in their waiting tables
 * @param ended executions that have ended, and so have no leases any more
 * @param stopRequested executions that are asked to stop
 * @param terminated executions that were terminated, so that their invocations must be interrupted
 * @param nodeGroups node groups that may be new
 * @param feedback set if there is feedback to push
 */
public record HintRequest(
    List<Triggers> triggers,
    List<Executions> ended,
    List<Executions> stopRequested,
    List<Executions> terminated,
    List<String> nodeGroups,
    @Nullable Feedback feedback)
    implements Request<HintReply> {

  public HintRequest {
    triggers = List.copyOf(triggers);
    ended = List.copyOf(ended);
    stopRequested = List.copyOf(stopRequested);
    terminated = List.copyOf(terminated);
    nodeGroups = List.copyOf(nodeGroups);
  }

  /**
   * Rows were added to a waiting table.
   *
   * @param nodeGroup the group of the table
   * @param earliestDueAt due time of the earliest new row, in epoch milliseconds
   */
  public record Triggers(String nodeGroup, long earliestDueAt) {}

  /**
   * Executions of a node group.
   *
   * @param nodeGroup the group
   * @param executionIds the executions
   */
  public record Executions(String nodeGroup, List<Long> executionIds) {
    public Executions {
      executionIds = List.copyOf(executionIds);
    }
  }

  /**
   * Feedback was stored.
   *
   * @param clientGroups client groups that have clients connected to the sending tracker, so that
   *     other trackers need not hurry
   */
  public record Feedback(List<String> clientGroups) {
    public Feedback {
      clientGroups = List.copyOf(clientGroups);
    }
  }
}
