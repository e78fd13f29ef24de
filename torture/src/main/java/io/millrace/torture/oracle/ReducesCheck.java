package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Reduction;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Workload;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Checks that each reduce finds all parts of its run, and of each what the attempt returned that
 * the ledger names; and that no run succeeds without its reduce.
 */
final class ReducesCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    SplitRuns runs = new SplitRuns(records);
    Map<Long, LedgerEntry> rows = records.executions();
    Map<Long, Reduction> found =
        records.reductions().stream()
            .collect(Collectors.toMap(Reduction::executionId, Function.identity(), (a, b) -> a));
    for (Reduction reduction : records.reductions()) {
      LedgerEntry reduce = rows.get(reduction.executionId());
      LedgerEntry run = reduce == null ? null : runs.runOf(reduce);
      if (reduce != null && run != null) {
        findings.tally("reduces");
        compare(reduction, reduce, run, expected(runs, reduce, run, found), findings);
      }
    }
    for (LedgerEntry run : rows.values()) {
      LoadJob job = runs.jobOf(run);
      List<LedgerEntry> parts = runs.partsOf(run);
      if (run.status() == LedgerStatus.SUCCEEDED
          && job != null
          && job.splitting().reduces()
          && runs.isToBeSplit(run, job)
          && parts.stream().noneMatch(row -> isDone(runs, row, found))) {
        findings.broken(
            Promise.LOST,
            "%s planned for %s succeeded at %s (%d) without its reduce"
                .formatted(run.key(), at(run.plannedFor()), at(run.finishedAt()), run.id()));
      }
    }
  }

  private static boolean isDone(SplitRuns runs, LedgerEntry row, Map<Long, Reduction> found) {
    return row.status() == LedgerStatus.SUCCEEDED
        && runs.isReduce(row)
        && found.containsKey(row.id());
  }

  private static Reduction expected(
      SplitRuns runs, LedgerEntry reduce, LedgerEntry run, Map<Long, Reduction> found) {
    List<LedgerEntry> parts =
        runs.partsOf(run).stream()
            .filter(row -> row.isFinal() && row.ordinal() < reduce.ordinal())
            .toList();
    List<LedgerEntry> succeeded =
        parts.stream().filter(row -> row.status() == LedgerStatus.SUCCEEDED).toList();
    return new Reduction(
        reduce.id(),
        parts.size(),
        parts.size() - succeeded.size(),
        succeeded.stream().mapToLong(row -> valueOf(runs, row, found)).sum());
  }

  /** What a part returns that was split is what its reduce found. */
  private static long valueOf(SplitRuns runs, LedgerEntry part, Map<Long, Reduction> found) {
    List<LedgerEntry> below = runs.partsOf(part);
    return below.isEmpty()
        ? Workload.valueOf(part.id())
        : below.stream()
            .filter(row -> isDone(runs, row, found))
            .mapToLong(row -> found.getOrDefault(row.id(), new Reduction(row.id(), 0, 0, 0)).sum())
            .sum();
  }

  private static void compare(
      Reduction found, LedgerEntry reduce, LedgerEntry run, Reduction expected, Findings findings) {
    if (!found.equals(expected)) {
      findings.broken(
          Promise.LOST,
          ("the reduce of %s planned for %s (batch %d, execution %d) found %d parts, of which %d had"
                  + " failed, and the sum %d; by the ledger they are %d, %d and %d")
              .formatted(
                  run.key(),
                  at(run.plannedFor()),
                  run.id(),
                  reduce.id(),
                  found.parts(),
                  found.failed(),
                  found.sum(),
                  expected.parts(),
                  expected.failed(),
                  expected.sum()));
    }
  }
}
