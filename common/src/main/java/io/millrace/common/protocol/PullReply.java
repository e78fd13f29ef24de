package io.millrace.common.protocol;

import io.millrace.common.model.Assignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link PullRequest}: at once when work is due, otherwise when some falls due or after a
 * second.
 *
 * @param status whether this tracker serves the worker's node group
 * @param assignments executions to run, at most as many as the slots of the pull
 * @param carriedTo set when a newer pull superseded this one: the slots of this pull that got no
 *     assignment now belong to the pull of this number; otherwise they are free again
 * @param stopRequested held executions whose job was cancelled
 * @param owner address of the tracker that serves the group, if this one does not and knows it
 */
public record PullReply(
    PullStatus status,
    List<Assignment> assignments,
    @Nullable Long carriedTo,
    List<Long> stopRequested,
    @Nullable String owner) {
  public PullReply {
    status = status == null ? PullStatus.UNKNOWN : status;
    assignments = List.copyOf(assignments);
    stopRequested = List.copyOf(stopRequested);
  }

  /** An answer of the owner with these assignments. */
  public static PullReply of(List<Assignment> assignments, List<Long> stopRequested) {
    return new PullReply(PullStatus.SERVED, assignments, null, stopRequested, null);
  }

  /** The answer of a tracker that does not serve the group. */
  public static PullReply notOwner(@Nullable String owner) {
    return new PullReply(PullStatus.NOT_OWNER, List.of(), null, List.of(), owner);
  }
}
