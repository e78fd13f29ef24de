package io.millrace.jobtracker.store.version;

import io.millrace.jobtracker.domain.job.JobVersion;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The latest versions of each recurring job. Versions are written in the transaction that writes
 * the job's row, after that row: the row is the lock on them.
 */
public interface JobVersionStore {

  /** Inserts versions of jobs whose rows the caller has written. */
  void insert(List<JobVersion> versions);

  /** Returns the submission id of the latest version of each of these jobs that has any. */
  Map<Long, String> latestSubmissions(Collection<Long> jobIds);

  /** Returns versions of a job below this one, latest first, with their parameters. */
  List<JobVersion> list(long jobId, int belowVersion, int limit);

  /** Deletes all versions of a job but its latest {@link JobVersion#KEPT}. */
  void trim(long jobId);

  /**
   * Deletes versions that were stored before a time, the oldest first.
   *
   * @param storedBefore epoch milliseconds
   * @return how many, at most the limit
   */
  int deleteBefore(long storedBefore, int limit);
}
