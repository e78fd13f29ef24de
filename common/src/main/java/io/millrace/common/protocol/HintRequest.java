package io.millrace.common.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tracker has stored that another one should look at soon. Only hints: whoever misses them
 * finds the rows by its own timers.
 *
 * @param triggers node groups into whose waiting tables rows were added
 * @param ended executions that have ended: their leases are over
 * @param stopRequested executions that were asked to stop
 * @param terminated executions that were terminated: their bodies are to be interrupted
 * @param nodeGroups node groups that may be new
 * @param feedback set when there is feedback to push
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
   * @param nodeGroup whose table
   * @param earliestDueAt when the earliest of them falls due, in epoch milliseconds
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
   * @param clientGroups of which the telling tracker has clients itself, so that nobody else need
   *     hurry
   */
  public record Feedback(List<String> clientGroups) {
    public Feedback {
      clientGroups = List.copyOf(clientGroups);
    }
  }
}
