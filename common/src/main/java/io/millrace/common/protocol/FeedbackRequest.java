package io.millrace.common.protocol;

import io.millrace.common.model.TriggerResult;
import java.util.List;

/** Tells a client what became of triggers; any answer but a {@link FeedbackReply} is no receipt. */
public record FeedbackRequest(List<TriggerResult> results) implements Request<FeedbackReply> {
  public FeedbackRequest {
    results = List.copyOf(results);
  }
}
