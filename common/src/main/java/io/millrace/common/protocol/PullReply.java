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
 * @param stopRequested held executions that are to stop: their job was cancelled, or they were
 *     terminated
 * @param owner address of the tracker that serves the group, if this one does not and knows it
 * @param interrupt those of {@code stopRequested} whose body is to be interrupted
 * @param lost held executions that are not this worker's any more: they were given to another one,
 *     or have ended
 * @param leaseMillis how long an execution counts as alive after it was last listed, in
 *     milliseconds; {@link #RENEWS_NOTHING} while the tracker cannot be certain that it still
 *     serves the group; empty if the tracker does not say
 * @param trouble why this tracker, which serves the group, can hand nothing out now; empty if it
 *     can. That there are no assignments then does not mean that nothing waits
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
    @Nullable String trouble) {

  /** In the place of a lease: another tracker may be counting it by now. */
  public static final long RENEWS_NOTHING = 0;

  public PullReply {
    status = status == null ? PullStatus.UNKNOWN : status;
    assignments = List.copyOf(assignments);
    stopRequested = List.copyOf(stopRequested);
    interrupt = List.copyOf(interrupt);
    lost = List.copyOf(lost);
  }

  /** An answer that says nothing of interrupts, of lost executions and of the lease. */
  public PullReply(
      PullStatus status,
      List<Assignment> assignments,
      @Nullable Long carriedTo,
      List<Long> stopRequested,
      @Nullable String owner) {
    this(status, assignments, carriedTo, stopRequested, owner, List.of(), List.of(), null, null);
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
