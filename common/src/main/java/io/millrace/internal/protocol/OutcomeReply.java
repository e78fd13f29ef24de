package io.millrace.internal.protocol;

import io.millrace.api.JobStatus;
import java.util.List;

/**
 * Answers {@link OutcomeRequest}.
 *
 * @param settled the status of those of the jobs for which nothing can be awaited any more: they
 *     have ended, or are not known, or are recurring. Empty if there is none within the wait, and
 *     at once if the tracker has no room for another question that waits
 */
public record OutcomeReply(List<JobStatus> settled) {
  public OutcomeReply {
    settled = List.copyOf(settled);
  }
}
