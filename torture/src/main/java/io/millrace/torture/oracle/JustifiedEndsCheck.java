package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.torture.journal.Call;
import io.millrace.torture.load.Behaviour;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Step.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a trigger that does not succeed has a reason for its end: its invocation, its policy,
 * or a request.
 */
final class JustifiedEndsCheck implements Check {
  private final Duration misfireThreshold;

  JustifiedEndsCheck(Duration misfireThreshold) {
    this.misfireThreshold = misfireThreshold;
  }

  @Override
  public void check(Records records, Findings findings) {
    Map<String, List<Call>> calls = records.callsByJob();
    Function<LedgerEntry, String> keys = records.jobKeys();
    SplitRuns runs = new SplitRuns(records);
    for (LedgerEntry row : records.tables().ledger()) {
      String key = keys.apply(row);
      @Nullable LoadJob job = records.jobs().get(key);
      if (job == null) {
        findings.broken(
            Promise.UNEXPLAINED_DUPLICATE,
            "%s is in the ledger (%d, at %s), but was never submitted"
                .formatted(row.key(), row.id(), at(row.finishedAt())));
      } else if (row.isFinal()
          && !isJustified(row, job, runs, new Asked(records, calls.getOrDefault(key, List.of())))) {
        findings.broken(
            Promise.LOST,
            "%s planned for %s ended %s (%d, attempt %d, %s) at %s without a reason"
                .formatted(
                    row.key(),
                    at(row.plannedFor()),
                    row.status(),
                    row.id(),
                    row.attempt(),
                    row.cause(),
                    at(row.finishedAt())));
      }
    }
  }

  /** The requests of the clients for one job. */
  private record Asked(Records records, List<Call> calls) {
    boolean has(Set<Kind> kinds, long before) {
      return calls.stream()
          .anyMatch(
              call ->
                  kinds.contains(records.stepOf(call).kind())
                      && call.askedAt() <= before + Records.CLOCK_MILLIS);
    }
  }

  private boolean isJustified(LedgerEntry row, LoadJob job, SplitRuns runs, Asked asked) {
    return switch (row.status()) {
      case FAILED -> job.behaviour() == Behaviour.FAIL;
      // Another check compares a run that was split with its parts.
      case DEAD ->
          row.attempt() > job.retries()
              || !runs.partsOf(row).isEmpty()
              || isWithoutWorker(row, job, WorkerLossPolicy.DEAD, runs, asked);
      case CANCELLED ->
          asked.has(Set.of(Kind.CANCEL, Kind.REPLACE, Kind.PAUSE), row.finishedAt())
              || runs.isStopped(row);
      case SKIPPED ->
          isJustifiedSkip(row, job, asked)
              || isWithoutWorker(row, job, WorkerLossPolicy.SKIP, runs, asked);
      case SUCCEEDED, RETRIED, POSTPONED, RETURNED, RESCUED -> true;
    };
  }

  /** The worker of a part of a broadcast is gone for a lease, or another process has its name. */
  private static boolean isWithoutWorker(
      LedgerEntry row, LoadJob job, WorkerLossPolicy policy, SplitRuns runs, Asked asked) {
    Optional<String> worker = goneWorkerOf(row);
    LedgerEntry run = runs.runOf(row);
    Long splitAt = run == null ? null : run.claimedAt();
    return worker.isPresent()
        && splitAt != null
        && job.splitting().onWorkerLost() == policy
        && asked.records().faults().explaining(worker.get(), splitAt, row.finishedAt()).isPresent();
  }

  /** Returns the worker for which a part of a broadcast was, if it ended because that was gone. */
  static Optional<String> goneWorkerOf(LedgerEntry row) {
    return row.isCausedBy(CauseCode.WORKER_GONE)
        ? Optional.of(Cause.decode(Objects.requireNonNull(row.cause())).arguments().get(0))
        : Optional.empty();
  }

  private boolean isJustifiedSkip(LedgerEntry row, LoadJob job, Asked asked) {
    if (row.isCausedBy(CauseCode.MISSED)) {
      return isMissed(row, job);
    }
    if (row.isCausedBy(CauseCode.OVERLAP) || row.isCausedBy(CauseCode.OVERLAP_QUEUE_FULL)) {
      return job.overlap().isExclusive();
    }
    return asked.has(Set.of(Kind.PAUSE), row.finishedAt());
  }

  /**
   * Returns whether the trigger was missed. With policy ALL, it is missed only when as many younger
   * triggers as the cap are due. In a chained job, which has one trigger at a time, the next
   * instant does not replace a trigger, so only the threshold counts unless the policy is NONE.
   */
  private boolean isMissed(LedgerEntry row, LoadJob job) {
    boolean isAll = job.misfire().kind() == MisfirePolicy.Kind.ALL;
    boolean isOnlyLate =
        job.timing().isChained() && job.misfire().kind() != MisfirePolicy.Kind.NONE;
    long threshold = misfireThreshold.toMillis();
    long youngest = row.plannedTo() + (isAll ? job.misfire().cap() * job.timing().interval() : 0);
    long inTimeUntil =
        isOnlyLate ? youngest + threshold : job.timing().inTimeUntil(youngest, threshold);
    return row.finishedAt() > inTimeUntil && row.attempt() == 0;
  }
}
