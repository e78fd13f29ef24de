package io.millrace.internal.protocol;

import io.millrace.internal.model.LogLevel;
import java.time.Instant;

/**
 * One line of a job's log.
 *
 * @param executionId the attempt that wrote it
 * @param sequence from 1, rising by one within the execution; gaps are lines that were dropped
 * @param at time of the line, by the worker's clock
 * @param level its level
 * @param text the line, at most {@value #MAX_TEXT_CHARS} characters
 */
public record LogLine(long executionId, int sequence, Instant at, LogLevel level, String text) {
  public static final int MAX_TEXT_CHARS = 8_000;

  public LogLine {
    level = level == null ? LogLevel.UNKNOWN : level;
  }
}
