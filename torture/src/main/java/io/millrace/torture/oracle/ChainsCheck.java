package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Call;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Timing;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Checks that in a chain each end is followed by the next instant, none early and none omitted. */
final class ChainsCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<String, List<LedgerEntry>> ledger = records.ledgerByJob();
    Map<String, List<LiveRow>> live = records.liveByJob();
    records
        .callsByJob()
        .forEach(
            (key, calls) -> {
              LoadJob job = records.stepOf(calls.get(0)).job();
              if (job.timing().isChained()) {
                List<LedgerEntry> ends =
                    ledger.getOrDefault(key, List.of()).stream()
                        .filter(row -> row.isFinal() && row.ordinal() == 0)
                        .sorted(Comparator.comparingLong(LedgerEntry::plannedFor))
                        .toList();
                check(job, calls, ends, live.containsKey(key), findings);
              }
            });
  }

  private static void check(
      LoadJob job, List<Call> calls, List<LedgerEntry> ends, boolean lives, Findings findings) {
    if (ends.isEmpty()) {
      boolean isPromised =
          calls.stream()
              .anyMatch(
                  call ->
                      call.answer().isStored()
                          && call.answeredAt() != null
                          && call.answeredAt() + job.timing().interval() < job.timing().end());
      if (isPromised && !lives) {
        findings.broken(Promise.LOST, "the chain %s never began".formatted(job.key()));
      }
      return;
    }
    for (int i = 1; i < ends.size(); i++) {
      follows(job.timing(), ends.get(i - 1), ends.get(i), findings);
    }
    LedgerEntry last = ends.get(ends.size() - 1);
    long next = nextAfter(job.timing(), last);
    if (next < job.timing().end() && !lives) {
      findings.broken(
          Promise.LOST,
          "the chain %s stopped: %d planned for %s ended at %s, and %s did not follow"
              .formatted(
                  job.key(), last.id(), at(last.plannedFor()), at(last.finishedAt()), at(next)));
    }
  }

  private static void follows(
      Timing timing, LedgerEntry before, LedgerEntry after, Findings findings) {
    long expected = nextAfter(timing, before);
    if (after.plannedFor() != expected) {
      findings.broken(
          after.plannedFor() < expected ? Promise.EARLY : Promise.LOST,
          "the chain %s went on at %s (%d) instead of %s: the run before it (%d) ended at %s"
              .formatted(
                  before.key(),
                  at(after.plannedFor()),
                  after.id(),
                  at(expected),
                  before.id(),
                  at(before.finishedAt())));
    }
  }

  private static long nextAfter(Timing timing, LedgerEntry end) {
    return timing.afterEnd(end.plannedFor(), end.finishedAt());
  }
}
