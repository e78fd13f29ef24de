package io.millrace.internal.protocol;

import io.millrace.api.SubmitResult;
import java.util.List;

/**
 * Answers {@link SubmitRequest}.
 *
 * @param results one per job, in the order of the request
 */
public record SubmitReply(List<SubmitResult> results) {
  public SubmitReply {
    results = List.copyOf(results);
  }
}
