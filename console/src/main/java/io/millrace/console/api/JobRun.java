package io.millrace.console.api;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.LedgerStore.RunEnd;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job that has ended, and how long its last attempt took.
 *
 * @param id of its last execution; of a run that never started, the id of its ledger entry
 * @param status SUCCEEDED, FAILED, DEAD, CANCELLED or SKIPPED
 * @param attempt number of its last attempt; 0 if it never started
 * @param plannedFor the instant it was planned for
 * @param dueAt when its last attempt could start at the earliest
 * @param startedAt when its last attempt started, by the worker's clock; null if it never started
 *     or the start is not known
 * @param finishedAt when its end was recorded
 */
public record JobRun(
    String id,
    LedgerStatus status,
    int attempt,
    Instant plannedFor,
    Instant dueAt,
    @Nullable Instant startedAt,
    Instant finishedAt) {

  static JobRun of(RunEnd end) {
    return new JobRun(
        String.valueOf(end.id()),
        end.status(),
        end.attempt(),
        Instant.ofEpochMilli(end.plannedFor()),
        Instant.ofEpochMilli(end.dueAt()),
        Times.instant(end.startedAt()),
        Instant.ofEpochMilli(end.finishedAt()));
  }
}
