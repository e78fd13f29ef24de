package io.millrace.jobtracker.store;

import io.millrace.internal.protocol.LogLine;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lines of job logs, unique by execution and sequence. */
public interface JobLogStore {

  /**
   * Stores lines; lines stored before stay as they are. Returns the number of given lines, all of
   * which are stored now.
   */
  int append(List<LogLine> lines);

  /** The lines of an execution with a sequence above this one, in order. */
  List<LogLine> read(long executionId, int aboveSequence, int limit);

  /**
   * Returns the size of the lines of each execution in bytes of UTF-8; omits executions without
   * lines.
   */
  Map<Long, Long> bytesOf(Set<Long> executionIds);

  /**
   * Deletes lines of executions with an id below this one, oldest first, and returns how many:
   * fewer than the limit only if none remain.
   */
  int deleteBelow(long belowExecutionId, int limit);
}
