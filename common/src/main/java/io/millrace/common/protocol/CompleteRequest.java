package io.millrace.common.protocol;

import java.util.List;

/** Reports results. Sending one again is harmless. At most {@value #MAX_RESULTS}. */
public record CompleteRequest(List<ExecutionResult> results) implements Request<CompleteReply> {
  public static final int MAX_RESULTS = 1_000;

  public CompleteRequest {
    results = List.copyOf(results);
  }
}
