package io.millrace.internal.protocol;

import java.util.List;

/** Stores at most {@value #MAX_LINES} lines of job logs. Sending a line again is harmless. */
public record LogRequest(List<LogLine> lines) implements Request<LogReply> {
  public static final int MAX_LINES = 1_000;

  public LogRequest {
    lines = List.copyOf(lines);
  }
}
