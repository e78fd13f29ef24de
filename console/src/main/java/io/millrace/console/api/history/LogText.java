package io.millrace.console.api.history;

import io.millrace.console.http.TextFile;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.store.JobLogStore;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The log of an execution as a text: the time in UTC by the worker's clock, the level, the text.
 */
final class LogText implements TextFile.Parts {
  /** The lines of one part; at the longest line length, some megabytes. */
  static final int LINES_AT_ONCE = 200;

  /** Always with milliseconds, so that the columns are aligned. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final JobLogStore store;
  private final long executionId;
  private int last;

  LogText(JobLogStore store, long executionId) {
    this.store = store;
    this.executionId = executionId;
  }

  @Override
  public @Nullable String next() {
    List<LogLine> lines = store.read(executionId, last, LINES_AT_ONCE);
    if (lines.isEmpty()) {
      return null;
    }
    last = lines.get(lines.size() - 1).sequence();
    return lines.stream().map(LogText::text).collect(Collectors.joining());
  }

  private static String text(LogLine line) {
    return "%s  %-5s  %s\n".formatted(TIME.format(line.at()), line.level(), line.text());
  }
}
