package io.millrace.jobtracker.store;

import io.millrace.common.protocol.LogLine;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lines of job logs, unique by execution and sequence. */
public interface JobLogStore {

  /** Stores lines; those stored before are left as they are. Returns how many are stored now. */
  int append(List<LogLine> lines);

  /** The lines of an execution with a sequence above this one, in order. */
  List<LogLine> read(long executionId, int aboveSequence, int limit);

  /** How many bytes of UTF-8 the lines of these executions have; none of those without lines. */
  Map<Long, Long> bytesOf(Set<Long> executionIds);

  /**
   * Deletes lines of executions with an id below this one, oldest first, and returns how many: less
   * than the limit only if none is left.
   */
  int deleteBelow(long belowExecutionId, int limit);
}
