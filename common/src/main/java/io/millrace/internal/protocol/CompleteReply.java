package io.millrace.internal.protocol;

import java.util.List;

/**
 * Answers {@link CompleteRequest}.
 *
 * @param answers one per result, in the order of the request
 */
public record CompleteReply(List<CompletionStatus> answers) {
  public CompleteReply {
    answers = List.copyOf(answers);
  }
}
