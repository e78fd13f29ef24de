package io.millrace.internal.protocol;

import io.millrace.internal.model.Assignment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link PullRequest}: at once if work is due, otherwise when work falls due or after a
 * second.
 *
 * @param status whether this tracker serves the worker's node group
 * @param assignments executions to run, at most one for each slot of the pull
 * @param carriedTo set when a newer pull superseded this one: the slots of this pull that got no
 *     assignment now belong to the pull of this number; otherwise they are free again
 * @param stopRequested held executions that must stop: their job was cancelled, or they were
 *     terminated
 * @param owner address of the tracker that serves the group; null if this one serves it or does not
 *     know the owner
 * @param interrupt those of {@code stopRequested} whose invocation must be interrupted
 * @param lost held executions that no longer belong to this worker: they were assigned to another
 *     one, or have ended
 * @param leaseMillis length of a lease after the worker last listed the execution, in milliseconds;
 *     {@link #RENEWS_NOTHING} while the tracker cannot be certain that it still serves the group;
 *     null if the tracker does not report it
 * @param trouble why this tracker, which serves the group, can assign nothing now; null if it can.
 *     With trouble, an empty list of assignments does not mean that nothing waits
 * @param leasedAfterMillis how long after the arrival of the pull the leases of the {@code
 *     assignments} began, in milliseconds: a claim may take long. Null without assignments, and if
 *     the tracker does not report it, which counts as 0
 */
public record PullReply(
    PullStatus status,
    List<Assignment> assignments,
    @Nullable Long carriedTo,
    List<Long> stopRequested,
    @Nullable String owner,
    List<Long> interrupt,
    List<Long> lost,
    @Nullable Long leaseMillis,
    @Nullable String trouble,
    @Nullable Long leasedAfterMillis) {

  /** Instead of a lease: another tracker may manage the leases by now. */
  public static final long RENEWS_NOTHING = 0;

  public PullReply {
    status = status == null ? PullStatus.UNKNOWN : status;
    assignments = List.copyOf(assignments);
    stopRequested = List.copyOf(stopRequested);
    interrupt = List.copyOf(interrupt);
    lost = List.copyOf(lost);
  }

  /** An answer without interrupts, lost executions, a lease and trouble. */
  public PullReply(
      PullStatus status,
      List<Assignment> assignments,
      @Nullable Long carriedTo,
      List<Long> stopRequested,
      @Nullable String owner) {
    this(
        status,
        assignments,
        carriedTo,
        stopRequested,
        owner,
        List.of(),
        List.of(),
        null,
        null,
        null);
  }

  /** The answer of the owner with these assignments. */
  public static PullReply of(List<Assignment> assignments, List<Long> stopRequested) {
    return new PullReply(PullStatus.SERVED, assignments, null, stopRequested, null);
  }

  /** The answer of a tracker that does not serve the group. */
  public static PullReply notOwner(@Nullable String owner) {
    return new PullReply(PullStatus.NOT_OWNER, List.of(), null, List.of(), owner);
  }
}
