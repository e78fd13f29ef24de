package io.millrace.common.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's second beat: asks for work, and renews the leases of what it holds. Sent also with no
 * free slot.
 *
 * @param number rises with every pull, over restarts too; its upper bits tell the process apart
 *     from others of the same node id, see {@link #processOf}
 * @param slots slots newly reserved for this pull; 0 is a heartbeat and is answered at once
 * @param openPulls numbers of earlier pulls that the worker still waits for; an earlier number that
 *     is missing was answered or given up, and no answer to it will be started
 * @param held executions received whose result is not yet acknowledged
 * @param aliveMillis how long this process of the worker has been there; missing: unknown. What was
 *     claimed for the worker since cannot have gone to an earlier process
 * @param workerSlots how many executions the worker runs at once, for people to read; missing:
 *     unknown
 * @param begun those of {@code held} that have a slot or wait here for one, and have not ended;
 *     missing: unknown
 */
public record PullRequest(
    long number,
    int slots,
    List<Long> openPulls,
    List<Long> held,
    @Nullable Long aliveMillis,
    @Nullable Integer workerSlots,
    @Nullable Integer begun)
    implements Request<PullReply> {
  private static final int COUNT_BITS = 24;

  public PullRequest {
    openPulls = List.copyOf(openPulls);
    held = List.copyOf(held);
  }

  /** A pull that says nothing of the worker itself. */
  public PullRequest(long number, int slots, List<Long> openPulls, List<Long> held) {
    this(number, slots, openPulls, held, null, null, null);
  }

  /**
   * The process that sent a pull, from its number. A worker that keeps its node id over restarts
   * begins to count behind {@link #before} of a process number that no process of this id had
   * before it. 0 says that no other process ever has the node id.
   */
  public static long processOf(long number) {
    return number >>> COUNT_BITS;
  }

  /** What comes before the number of the first pull of a process. */
  public static long before(long process) {
    return process << COUNT_BITS;
  }
}
