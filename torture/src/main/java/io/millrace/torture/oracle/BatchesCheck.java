package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Splitting;
import io.millrace.torture.load.Step.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that of every run that was split, each part has one disposition, the run ends after the
 * last of them and as they say, and no part is claimed after the cancel of the run was answered;
 * and that no part belongs to a run that was never recorded, such as a second split of one.
 */
final class BatchesCheck implements Check {
  private static final Set<LedgerStatus> NO_FAILURES =
      Set.of(LedgerStatus.SUCCEEDED, LedgerStatus.SKIPPED);

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, LedgerEntry> runs = records.executions();
    Map<Long, List<LedgerEntry>> parts = records.partsByBatch();
    Set<Long> open = records.tables().live().stream().map(LiveRow::id).collect(Collectors.toSet());
    parts.forEach(
        (batch, rows) -> {
          if (!runs.containsKey(batch) && !open.contains(batch)) {
            findings.broken(
                Promise.UNEXPLAINED_DUPLICATE,
                "%d rows are of parts of batch %d, the first claimed at %s, which is no run"
                    .formatted(rows.size(), batch, at(rows.get(0).claimedAt())));
          }
        });
    Map<String, List<Call>> calls = records.callsByJob();
    SplitRuns split = new SplitRuns(records);
    for (LedgerEntry run : runs.values()) {
      @Nullable LoadJob job = split.jobOf(run);
      List<LedgerEntry> rows = split.partsOf(run);
      if (job != null && run.isFinal() && isSplit(run, job, rows, split)) {
        findings.tally(run.batch() == null ? "runs that were split" : "parts that were split");
        Batch batch = new Batch(run, job.splitting(), split.totalOf(run, job), rows);
        batch.eachPartEndsOnce(findings);
        batch.endsAfterItsParts(findings);
        batch.endsAsItsParts(findings);
        batch.nothingIsClaimedAfterItsCancel(
            records, calls.getOrDefault(job.key(), List.of()), findings);
      }
    }
  }

  /** A run whose handler makes parts may end before it did. */
  private static boolean isSplit(
      LedgerEntry run, LoadJob job, List<LedgerEntry> rows, SplitRuns split) {
    boolean mayHaveNone =
        job.splitting().kind() == Splitting.Kind.MAP && run.status() != LedgerStatus.SUCCEEDED;
    return !rows.isEmpty() || (split.isToBeSplit(run, job) && !mayHaveNone);
  }

  /**
   * A run that was split.
   *
   * @param rules how it was split
   * @param total how many parts it has; one more is its reduce
   * @param parts the rows of its parts
   */
  private record Batch(LedgerEntry run, Splitting rules, int total, List<LedgerEntry> parts) {

    private String name() {
      return "%s planned for %s (batch %d)".formatted(run.key(), at(run.plannedFor()), run.id());
    }

    /** One row records all parts that a cancel found not released. */
    private void eachPartEndsOnce(Findings findings) {
      Map<Long, Integer> ends = new LinkedHashMap<>();
      for (LedgerEntry row : parts) {
        for (long i = 0; row.isFinal() && i < row.instants(); i++) {
          ends.merge(row.ordinal() + i, 1, Integer::sum);
        }
      }
      ends.forEach(
          (number, count) -> {
            findings.tally("parts of runs");
            if (count > 1 || number > total + 1) {
              findings.broken(
                  Promise.ACCEPTED_TWICE,
                  "part %d of %d of %s has %d dispositions"
                      .formatted(number, total, name(), count));
            }
          });
      long ended = ends.keySet().stream().filter(number -> number <= total).count();
      if (ended < total) {
        findings.broken(
            Promise.LOST,
            "%s ended %s at %s, and %d of its %d parts have a disposition"
                .formatted(name(), run.status(), at(run.finishedAt()), ended, total));
      }
    }

    private void endsAfterItsParts(Findings findings) {
      for (LedgerEntry row : parts) {
        if (row.finishedAt() > run.finishedAt() + Records.CLOCK_MILLIS) {
          findings.broken(
              Promise.ACCEPTED_TWICE,
              "%s ended %s at %s, before its part %d ended %s (%d) at %s"
                  .formatted(
                      name(),
                      run.status(),
                      at(run.finishedAt()),
                      row.ordinal(),
                      row.status(),
                      row.id(),
                      at(row.finishedAt())));
        }
      }
    }

    /** A run that was cancelled may have no part that was. */
    private void endsAsItsParts(Findings findings) {
      if (run.status() == LedgerStatus.CANCELLED || isTooLate(findings)) {
        return;
      }
      Set<LedgerStatus> ends = endsOf(row -> row.ordinal() <= total);
      Set<LedgerStatus> reduce = endsOf(row -> row.ordinal() > total);
      boolean counts = rules.onPartFailure() != PartFailurePolicy.IGNORE;
      LedgerStatus expected =
          counts && !NO_FAILURES.containsAll(ends) ? failed(ends) : failed(reduce);
      if (run.status() != expected) {
        findings.broken(
            Promise.LOST,
            "%s ended %s at %s, its parts %s and its reduce %s"
                .formatted(name(), run.status(), at(run.finishedAt()), ends, reduce));
      }
    }

    private Set<LedgerStatus> endsOf(Predicate<LedgerEntry> which) {
      return parts.stream()
          .filter(row -> row.isFinal() && which.test(row))
          .map(LedgerEntry::status)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A part is cancelled alone only because another one failed. */
    private LedgerStatus failed(Set<LedgerStatus> ends) {
      return ends.contains(LedgerStatus.DEAD)
          ? LedgerStatus.DEAD
          : ends.contains(LedgerStatus.FAILED)
              ? LedgerStatus.FAILED
              : ends.contains(LedgerStatus.CANCELLED)
                  ? LedgerStatus.CANCELLED
                  : LedgerStatus.SUCCEEDED;
    }

    private boolean isTooLate(Findings findings) {
      if (!run.isCausedBy(CauseCode.NOT_ENDED_IN_TIME)) {
        return false;
      }
      findings.tally("runs that did not end in time");
      Duration within = rules.within();
      Long claimedAt = run.claimedAt();
      if (run.status() != LedgerStatus.DEAD
          || within == null
          || claimedAt == null
          || run.finishedAt() < claimedAt + within.toMillis()) {
        findings.broken(
            Promise.LOST,
            "%s was claimed at %s and ended %s at %s because of its time, which is %s"
                .formatted(name(), at(claimedAt), run.status(), at(run.finishedAt()), within));
      }
      return true;
    }

    private void nothingIsClaimedAfterItsCancel(
        Records records, List<Call> calls, Findings findings) {
      for (Call call : calls) {
        Long answeredAt = call.answeredAt();
        boolean isCancelled =
            records.stepOf(call).kind() == Kind.CANCEL
                && call.answer() == Answer.DONE
                && answeredAt != null
                && run.claimedAt() != null
                && run.claimedAt() < answeredAt;
        for (LedgerEntry row : isCancelled ? parts : List.<LedgerEntry>of()) {
          if (row.claimedAt() != null
              && answeredAt != null
              && row.claimedAt() > answeredAt + Records.CLOCK_MILLIS) {
            findings.broken(
                Promise.UNEXPLAINED_DUPLICATE,
                "part %d of %s was claimed at %s (%d), after the cancel was answered at %s"
                    .formatted(
                        row.ordinal(), name(), at(row.claimedAt()), row.id(), at(answeredAt)));
          }
        }
      }
    }
  }
}
