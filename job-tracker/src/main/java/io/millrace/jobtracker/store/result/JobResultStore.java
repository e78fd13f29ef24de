package io.millrace.jobtracker.store.result;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Results of jobs: rows are added with their ledger rows, and purged with them. */
public interface JobResultStore {

  void append(List<JobResult> results);

  /**
   * The results of these executions as JSON, by execution id; executions without one are omitted.
   */
  Map<Long, String> find(Collection<Long> executionIds);

  /**
   * The lengths in UTF-8 of the results of these executions, which costs less than to read them.
   */
  Map<Long, Integer> sizes(Collection<Long> executionIds);

  /** Executions with an id below this one that ended before an instant, in order of id. */
  List<Long> findEndedBefore(long belowExecutionId, long endedBefore, int limit);

  /** Deletes the results of these executions and returns how many there were. */
  int delete(Collection<Long> executionIds);
}
