package io.millrace.internal.protocol;

import io.millrace.api.DeclareResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link DeclareRequest}.
 *
 * @param status DONE if the page was applied; with any other status no further page is sent
 * @param message why the page was not applied; otherwise null
 * @param jobs one per job of the page, in its order, then the jobs that this page retired; empty if
 *     the page was not applied
 * @param more whether jobs remain to be retired after the last page
 */
public record DeclareReply(
    DeclareResult.Status status,
    @Nullable String message,
    List<DeclareResult.JobResult> jobs,
    boolean more) {
  public DeclareReply {
    jobs = List.copyOf(jobs);
  }
}
