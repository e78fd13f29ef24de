package io.millrace.console.api.history;

import io.millrace.common.model.LogLevel;
import io.millrace.common.protocol.LogLine;
import java.time.Instant;

/**
 * A line of a job's log.
 *
 * @param sequence from 1, increasing; gaps mean dropped lines
 * @param at by the worker's clock
 */
public record LogItem(int sequence, Instant at, LogLevel level, String text) {

  static LogItem of(LogLine line) {
    return new LogItem(line.sequence(), line.at(), line.level(), line.text());
  }
}
