package io.millrace.jobtracker.joblog;

import io.millrace.common.collection.BoundedMap;
import io.millrace.common.model.LogLevel;
import io.millrace.common.protocol.LogLine;
import io.millrace.jobtracker.store.JobLogStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How many bytes each execution has logged, so that it logs no more than it may. Counts of the last
 * {@value #MAX_COUNTS} executions are kept; others are read from the store, which also knows what
 * was stored before a restart or at another tracker. Used by one commit at a time.
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

  /** Counts for one transaction, which may be run again. */
  Count begin() {
    return new Count();
  }

  /** What executions have logged, with the lines of one transaction. */
  final class Count {
    private final Map<Long, Long> after = new HashMap<>();
    private long bytes;

    /**
     * Leaves out what is too much. In the place of the first line that is left out of an execution
     * stands one that says so.
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

    /** The line that says so is shorter than the one it stands for: the log may be full already. */
    private long stored(long bytesInStore) {
      return bytesInStore + MAX_LINE_BYTES > max ? max : bytesInStore;
    }

    /** Bytes of the lines. */
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
        "This execution has logged as much as it may ("
            + (max >> 10)
            + " KiB, job-log.max-bytes-of-execution); nothing further is kept.");
  }
}
