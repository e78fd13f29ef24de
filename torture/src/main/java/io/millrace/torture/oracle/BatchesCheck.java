package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Step.Kind;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that of every run that was split, each part has one disposition, the run ends after the
 * last of them and as they say, and no part is claimed after the cancel of the run was answered;
 * and that no part belongs to a run that was never recorded, such as a second split of one.
 */
final class BatchesCheck implements Check {

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
    for (LedgerEntry run : runs.values()) {
      @Nullable LoadJob job = records.jobs().get(run.key());
      if (job != null && job.shards() > 0 && run.isFinal()) {
        findings.tally("runs that were split");
        Batch batch = new Batch(run, job, parts.getOrDefault(run.id(), List.of()));
        batch.eachPartEndsOnce(findings);
        batch.endsAfterItsParts(findings);
        batch.endsAsItsParts(findings);
        batch.nothingIsClaimedAfterItsCancel(
            records, calls.getOrDefault(run.key(), List.of()), findings);
      }
    }
  }

  /**
   * A run that was split.
   *
   * @param parts the rows of its parts
   */
  private record Batch(LedgerEntry run, LoadJob job, List<LedgerEntry> parts) {

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
            if (count > 1 || number > job.shards()) {
              findings.broken(
                  Promise.ACCEPTED_TWICE,
                  "part %d of %d of %s has %d dispositions"
                      .formatted(number, job.shards(), name(), count));
            }
          });
      if (ends.size() < job.shards()) {
        findings.broken(
            Promise.LOST,
            "%s ended %s at %s, and %d of its %d parts have a disposition"
                .formatted(name(), run.status(), at(run.finishedAt()), ends.size(), job.shards()));
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
      Set<LedgerStatus> ends = new HashSet<>();
      parts.stream().filter(LedgerEntry::isFinal).forEach(row -> ends.add(row.status()));
      LedgerStatus expected =
          ends.contains(LedgerStatus.CANCELLED)
              ? LedgerStatus.CANCELLED
              : ends.contains(LedgerStatus.DEAD)
                  ? LedgerStatus.DEAD
                  : ends.contains(LedgerStatus.FAILED)
                      ? LedgerStatus.FAILED
                      : LedgerStatus.SUCCEEDED;
      if (run.status() != expected && run.status() != LedgerStatus.CANCELLED) {
        findings.broken(
            Promise.LOST,
            "%s ended %s at %s, and its parts %s"
                .formatted(name(), run.status(), at(run.finishedAt()), ends));
      }
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
