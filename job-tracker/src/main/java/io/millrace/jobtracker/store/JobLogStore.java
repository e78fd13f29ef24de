package io.millrace.jobtracker.store;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
   * The conditions of a search; null means any.
   *
   * @param lowest lines of this level or a higher one; the level of a newer protocol is the highest
   * @param contained lines that contain this text, ignoring case
   */
  record Filter(@Nullable LogLevel lowest, @Nullable String contained) {
    public static final Filter NONE = new Filter(null, null);
  }

  /**
   * The result of a search.
   *
   * @param lines in the order in which the job wrote them
   * @param next the sequence from which to continue in the same direction; null if there are no
   *     more lines
   */
  record Found(List<LogLine> lines, @Nullable Integer next) {}

  /**
   * Returns the first lines of an execution with a sequence above this one. A page may be short or
   * empty although lines remain.
   *
   * @param limit the maximum of lines found
   * @param lookAt the maximum of lines read, whether they match or not
   */
  Found searchAfter(long executionId, int aboveSequence, Filter filter, int limit, int lookAt);

  /** Returns the last lines with a sequence below this one; otherwise like {@link #searchAfter}. */
  Found searchBefore(long executionId, int belowSequence, Filter filter, int limit, int lookAt);

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
