package io.millrace.common.protocol;

import java.util.List;

/**
 * A worker's second beat: asks for work, and renews the leases of what it holds. Sent also with no
 * free slot.
 *
 * @param number rises with every pull of the worker process
 * @param slots slots newly reserved for this pull; 0 is a heartbeat and is answered at once
 * @param openPulls numbers of earlier pulls that the worker still waits for; an earlier number that
 *     is missing was answered or given up, and no answer to it will be started
 * @param held executions received whose result is not yet acknowledged
 */
public record PullRequest(long number, int slots, List<Long> openPulls, List<Long> held)
    implements Request<PullReply> {
  public PullRequest {
    openPulls = List.copyOf(openPulls);
    held = List.copyOf(held);
  }
}
