package io.millrace.jobtracker.joblog;

import io.millrace.internal.collection.BoundedMap;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.store.JobLogStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The number of bytes that each execution has logged, which limits what it may log. Keeps the
 * counts of the last {@value #MAX_COUNTS} executions; other counts are read from the store, which
 * also includes lines stored before a restart or by another tracker. Used by one commit at a time.
 */
final class LoggedBytes {
  private static final int MAX_COUNTS = 10_000;

  /** A character takes up to three bytes. */
  private static final long MAX_LINE_BYTES = 3L * LogLine.MAX_TEXT_CHARS;

  private final JobLogStore store;
  private final long max;
  private final Map<Long, Long> counts = BoundedMap.byUse(MAX_COUNTS);

  LoggedBytes(JobLogStore store, long max) {
    this.store = store;
    this.max = max;
  }

  /** Begins the counts of one transaction, which may be run again. */
  Count begin() {
    return new Count();
  }

  /** The bytes that executions have logged, including the lines of one transaction. */
  final class Count {
    private final Map<Long, Long> after = new HashMap<>();
    private long bytes;

    /**
     * Leaves out the lines beyond the limit. A notice replaces the first line of an execution that
     * is left out.
     */
    List<LogLine> admit(List<LogLine> lines) {
      readUnknown(lines);
      List<LogLine> admitted = new ArrayList<>();
      for (LogLine line : lines) {
        long before = after.getOrDefault(line.executionId(), 0L);
        if (before < max) {
          long size = line.text().getBytes(StandardCharsets.UTF_8).length;
          boolean isLast = before + size >= max;
          admitted.add(isLast ? notice(line) : line);
          after.put(line.executionId(), isLast ? max : before + size);
          bytes += size;
        }
      }
      return admitted;
    }

    private void readUnknown(List<LogLine> lines) {
      Set<Long> unknown = lines.stream().map(LogLine::executionId).collect(Collectors.toSet());
      unknown.removeAll(after.keySet());
      for (Long execution : Set.copyOf(unknown)) {
        Long count = counts.get(execution);
        if (count != null) {
          after.put(execution, count);
          unknown.remove(execution);
        }
      }
      if (!unknown.isEmpty()) {
        store.bytesOf(unknown).forEach((execution, bytes) -> after.put(execution, stored(bytes)));
      }
    }

    /**
     * Counts a log that is nearly full as full: the notice is shorter than the line it replaces, so
     * the store may hold less than the limit.
     */
    private long stored(long bytesInStore) {
      return bytesInStore + MAX_LINE_BYTES > max ? max : bytesInStore;
    }

    /** The bytes of the admitted lines. */
    long bytes() {
      return bytes;
    }

    void committed() {
      counts.putAll(after);
    }
  }

  private LogLine notice(LogLine cut) {
    return new LogLine(
        cut.executionId(),
        cut.sequence(),
        cut.at(),
        LogLevel.WARN,
        "This execution has reached the limit of its log ("
            + (max >> 10)
            + " KiB, job-log.max-bytes-of-execution); further lines are not stored.");
  }
}
