package io.millrace.internal.protocol;

import io.millrace.api.TriggerResult;
import java.util.List;

/**
 * Notifies a client of triggers that ended; only a {@link FeedbackReply} acknowledges the results.
 */
public record FeedbackRequest(List<TriggerResult> results) implements Request<FeedbackReply> {
  public FeedbackRequest {
    results = List.copyOf(results);
  }
}
