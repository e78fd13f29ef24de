package io.millrace.scripts.quickstart;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.scripts.demo.Attempt;
import io.millrace.scripts.demo.AttemptListener;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks whether the expected jobs have completed in the store: for each job, enough of the
 * executions that a worker ran here have succeeded according to the ledger. Thread-safe.
 */
final class LedgerCheck implements AttemptListener {
  private final List<DemoJob> jobs;
  private final Map<String, Set<Long>> seen = new ConcurrentHashMap<>();

  LedgerCheck(List<DemoJob> jobs) {
    this.jobs = jobs.stream().filter(demo -> demo.expectedRuns() > 0).toList();
  }

  @Override
  public void ended(Attempt attempt) {
    seen.computeIfAbsent(attempt.taskId(), unused -> ConcurrentHashMap.newKeySet())
        .add(attempt.executionId());
  }

  /** Returns what is missing, one line per job; empty once everything has completed. */
  List<String> missing(LedgerStore ledger) {
    return jobs.stream().map(demo -> missingOf(demo, ledger)).filter(Objects::nonNull).toList();
  }

  private @org.jspecify.annotations.Nullable String missingOf(DemoJob demo, LedgerStore ledger) {
    Set<Long> ran = seen.getOrDefault(demo.job().taskId(), Set.of());
    long completed = ran.isEmpty() ? 0 : succeeded(ledger, ran);
    if (completed >= demo.expectedRuns()) {
      return null;
    }
    return "%s (%s): %d of %d have run, %d are completed in the store"
        .formatted(demo.job().taskId(), demo.kind(), ran.size(), demo.expectedRuns(), completed);
  }

  private static long succeeded(LedgerStore ledger, Set<Long> executionIds) {
    return ledger.find(executionIds).stream()
        .filter(row -> row.status() == LedgerStatus.SUCCEEDED)
        .count();
  }
}
