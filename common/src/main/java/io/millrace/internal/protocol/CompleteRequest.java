package io.millrace.internal.protocol;

import java.util.List;

/** Reports at most {@value #MAX_RESULTS} results. Sending a result again is harmless. */
public record CompleteRequest(List<ExecutionResult> results) implements Request<CompleteReply> {
  public static final int MAX_RESULTS = 1_000;

  public CompleteRequest {
    results = List.copyOf(results);
  }
}
