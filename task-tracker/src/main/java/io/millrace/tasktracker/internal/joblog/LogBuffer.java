package io.millrace.tasktracker.internal.joblog;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The lines on their way to the tracker, bounded in count and in memory. A line that does not fit
 * is dropped, and its number is skipped. As soon as there is room, a WARN line reports how many
 * lines are missing.
 *
 * <p>Thread-safe: one lock, held only for short operations in memory.
 */
final class LogBuffer {
  /** The estimated memory of a line in addition to its text. */
  private static final int LINE_OVERHEAD = 96;

  private final int maxLines;
  private final long maxBytes;
  private final Deque<LogLine> waiting = new ArrayDeque<>();
  private final Set<LogStream> gaps = new LinkedHashSet<>();

  /** The number of lines that wait or are under way. */
  private int lines;

  private long bytes;
  private long dropped;

  LogBuffer(int maxLines, long maxBytes) {
    this.maxLines = maxLines;
    this.maxBytes = maxBytes;
  }

  /** Adds a line or drops it. Returns the number of waiting lines. */
  synchronized int append(LogStream stream, Instant at, LogLevel level, String text) {
    if (stream.dropped == 0 && fits(1, sizeOf(text))) {
      add(stream, at, level, text);
    } else if (stream.dropped > 0 && fits(2, sizeOf(gapText(stream)) + sizeOf(text))) {
      closeGap(stream, at);
      add(stream, at, level, text);
    } else {
      stream.lastSequence++;
      stream.dropped++;
      gaps.add(stream);
      dropped++;
    }
    return waiting.size();
  }

  /**
   * Removes the oldest waiting lines; they count towards the bounds until they are {@link
   * #acknowledged}.
   */
  synchronized List<LogLine> take(int maxCount, long maxSize) {
    List<LogLine> batch = new ArrayList<>();
    long size = 0;
    while (!waiting.isEmpty() && batch.size() < maxCount && size < maxSize) {
      LogLine line = waiting.remove();
      size += sizeOf(line.text());
      batch.add(line);
    }
    return batch;
  }

  /** Releases the room of these lines for others. */
  synchronized void acknowledged(List<LogLine> batch, Instant at) {
    for (LogLine line : batch) {
      lines--;
      bytes -= sizeOf(line.text());
    }
    for (LogStream stream : List.copyOf(gaps)) {
      if (fits(1, sizeOf(gapText(stream)))) {
        closeGap(stream, at);
      }
    }
  }

  /** Returns the number of lines that were dropped since the last call. */
  synchronized long takeDropped() {
    long count = dropped;
    dropped = 0;
    return count;
  }

  /** Returns the number of lines that wait or are under way. */
  synchronized int size() {
    return lines;
  }

  private void closeGap(LogStream stream, Instant at) {
    String text = gapText(stream);
    stream.dropped = 0;
    gaps.remove(stream);
    add(stream, at, LogLevel.WARN, text);
  }

  private static String gapText(LogStream stream) {
    return stream.dropped
        + " lines were dropped here: the job logged faster than the tracker stored them";
  }

  private void add(LogStream stream, Instant at, LogLevel level, String text) {
    waiting.add(new LogLine(stream.executionId, ++stream.lastSequence, at, level, text));
    lines++;
    bytes += sizeOf(text);
  }

  private boolean fits(int count, long size) {
    return lines + count <= maxLines && bytes + size <= maxBytes;
  }

  private static long sizeOf(String text) {
    return LINE_OVERHEAD + 2L * text.length();
  }
}
