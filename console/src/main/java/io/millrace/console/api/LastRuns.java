package io.millrace.console.api;

import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.jobtracker.store.LedgerStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last runs of jobs, for those who ask for them.
 *
 * @param wanted how many of each job; 0 for none
 * @param byJob ends by job id, latest planned time first
 */
public record LastRuns(int wanted, Map<Long, List<LedgerStore.RunEnd>> byJob) {
  public static final Param<Integer> RUNS =
      Param.query(
          "runs",
          ParamForm.integer(0, 20),
          0,
          "The most ended runs that each job comes with, latest planned time first");

  /**
   * The most ledger entries read of each job in a list, for each run: attempts that were retried or
   * postponed have entries too.
   */
  private static final int ENTRIES_PER_RUN = 2;

  /** The most ledger entries read of a job alone. */
  private static final int ENTRIES = 500;

  /** Reads those of all jobs of a list together. */
  public static LastRuns ofMany(LedgerStore ledger, Collection<Long> jobIds, int wanted) {
    return read(ledger, jobIds, wanted, ENTRIES_PER_RUN * wanted);
  }

  public static LastRuns ofOne(LedgerStore ledger, long jobId, int wanted) {
    return read(ledger, List.of(jobId), wanted, ENTRIES);
  }

  private static LastRuns read(
      LedgerStore ledger, Collection<Long> jobIds, int wanted, int lookAt) {
    return new LastRuns(
        wanted, wanted == 0 ? Map.of() : ledger.findLatestEnds(jobIds, wanted, lookAt));
  }

  /** Those of a job; null if the request does not ask for them. */
  public @Nullable List<JobRun> of(long jobId) {
    return wanted == 0
        ? null
        : byJob.getOrDefault(jobId, List.of()).stream().map(JobRun::of).toList();
  }
}
