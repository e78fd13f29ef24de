package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.api.Outcome;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that each result that the ledger accepted from a worker matches what that worker's
 * invocation did.
 */
final class ReportsCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, List<Run>> runs = records.runsByExecution();
    Set<Long> batches = records.partsByBatch().keySet();
    SplitRuns split = new SplitRuns(records);
    for (LedgerEntry row : records.tables().ledger()) {
      if (row.isExecution() && row.reported()) {
        List<Run> ofRow = runs.getOrDefault(row.id(), List.of());
        Run last = ofRow.isEmpty() ? null : ofRow.get(ofRow.size() - 1);
        if (!isStoppedSplit(row, last, split)) {
          agrees(row, last, batches.contains(row.id()), findings);
        }
      }
    }
  }

  /**
   * A run or a part that made parts is cancelled, although it succeeded, if it was cancelled, or
   * the run of the part was stopped, before its end was stored: what it made is never released.
   */
  private static boolean isStoppedSplit(LedgerEntry row, @Nullable Run run, SplitRuns split) {
    @Nullable LoadJob job = split.jobOf(row);
    return row.status() == LedgerStatus.CANCELLED
        && (row.batch() != null || row.isCausedBy(CauseCode.CANCELLED_WHILE_EXECUTING))
        && job != null
        && split.isToBeSplit(row, job)
        && run != null
        && run.outcome() == Outcome.SUCCESS;
  }

  /**
   * Compares a row with its invocation.
   *
   * @param isSplit whether the invocation made parts: it succeeded, however these ended
   */
  private static void agrees(
      LedgerEntry row, @Nullable Run run, boolean isSplit, Findings findings) {
    if (run == null || run.outcome() == null) {
      if (isSplit || !mayEndUnended(row)) {
        findings.broken(
            Promise.ACCEPTED_TWICE,
            "execution %d of %s was accepted as %s at %s, but no invocation of it has ended"
                .formatted(row.id(), row.key(), row.status(), at(row.finishedAt())));
      }
      return;
    }
    if (!Faults.isSameWorker(run.process(), row.workerId())) {
      findings.broken(
          Promise.ACCEPTED_TWICE,
          "execution %d of %s ran on %s and was accepted from %s"
              .formatted(row.id(), row.key(), run.process(), row.workerId()));
    }
    Set<Outcome> expected = isSplit ? EnumSet.of(Outcome.SUCCESS) : outcomesOf(row);
    if (!expected.contains(run.outcome())) {
      findings.broken(
          Promise.ACCEPTED_TWICE,
          "execution %d of %s was accepted as %s at %s, and its invocation ended with %s at %s"
              .formatted(
                  row.id(),
                  row.key(),
                  row.status(),
                  at(row.finishedAt()),
                  run.outcome(),
                  at(run.endedAt())));
    }
  }

  /**
   * Returns whether the row may exist without an ended invocation. A worker returns executions that
   * it never started and those that ignore an interrupt; besides, the job may have been changed
   * meanwhile.
   */
  private static boolean mayEndUnended(LedgerEntry row) {
    return row.status() == LedgerStatus.RETURNED
        || row.status() == LedgerStatus.CANCELLED
        || row.status() == LedgerStatus.SKIPPED;
  }

  private static Set<Outcome> outcomesOf(LedgerEntry row) {
    return switch (row.status()) {
      case SUCCEEDED -> EnumSet.of(Outcome.SUCCESS);
      case FAILED -> EnumSet.of(Outcome.FAILED);
      case RETRIED -> EnumSet.of(Outcome.EXCEPTION);
      case DEAD -> EnumSet.of(Outcome.EXCEPTION, Outcome.INTERRUPTED);
      case POSTPONED -> EnumSet.of(Outcome.LATER);
      // An invocation that is interrupted because its lease is lost counts as interrupted if it
      // throws.
      case RETURNED -> EnumSet.of(Outcome.INTERRUPTED, Outcome.EXCEPTION);
      case CANCELLED, SKIPPED -> EnumSet.of(Outcome.EXCEPTION, Outcome.LATER, Outcome.INTERRUPTED);
      case RESCUED -> EnumSet.noneOf(Outcome.class);
    };
  }
}
