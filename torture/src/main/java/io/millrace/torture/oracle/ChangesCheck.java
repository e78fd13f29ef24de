package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.load.Step.Kind;
import java.util.List;
import java.util.Map;

/**
 * Checks that after the acknowledgement of a cancel, a pause or an edit, no trigger of the previous
 * version is claimed.
 */
final class ChangesCheck implements Check {
  /** The maximum difference between two clocks on one machine. */
  private static final long CLOCK_MILLIS = 50;

  @Override
  public void check(Records records, Findings findings) {
    Map<String, List<LedgerEntry>> ledger = records.ledgerByJob();
    records
        .callsByJob()
        .forEach(
            (key, calls) -> {
              List<LedgerEntry> rows = ledger.getOrDefault(key, List.of());
              for (Call call : calls) {
                check(records, call, calls, rows, findings);
              }
            });
  }

  private static void check(
      Records records, Call change, List<Call> calls, List<LedgerEntry> rows, Findings findings) {
    Long answeredAt = change.answeredAt();
    if (answeredAt == null) {
      return;
    }
    Kind kind = records.stepOf(change).kind();
    if (change.answer() == Answer.DONE && (kind == Kind.CANCEL || kind == Kind.PAUSE)) {
      long until =
          calls.stream()
              .filter(call -> undoes(records.stepOf(call).kind(), kind))
              .mapToLong(Call::askedAt)
              .filter(asked -> asked > change.askedAt())
              .min()
              .orElse(Long.MAX_VALUE);
      nothingClaimed(kind, answeredAt, until, rows, findings);
    }
    if (change.answer().isStored() && records.stepOf(change).job().timing().isRecurring()) {
      long stored =
          calls.stream()
              .filter(call -> call.answer().isStored() && call.askedAt() <= change.askedAt())
              .count();
      nothingOfBefore(stored, answeredAt, rows, findings);
    }
  }

  private static boolean undoes(Kind kind, Kind change) {
    return change == Kind.PAUSE ? kind == Kind.RESUME : kind == Kind.SUBMIT || kind == Kind.REPLACE;
  }

  private static void nothingClaimed(
      Kind kind, long after, long until, List<LedgerEntry> rows, Findings findings) {
    for (LedgerEntry row : rows) {
      if (row.claimedAt() != null
          && row.claimedAt() > after + CLOCK_MILLIS
          && row.claimedAt() < until) {
        findings.broken(
            Promise.UNEXPLAINED_DUPLICATE,
            "execution %d of %s planned for %s was claimed at %s, after its %s was answered at %s"
                .formatted(
                    row.id(),
                    row.key(),
                    at(row.plannedFor()),
                    at(row.claimedAt()),
                    kind,
                    at(after)));
      }
    }
  }

  /**
   * Checks the triggers of previous versions. Each acknowledged submit increases the version by at
   * least one.
   */
  private static void nothingOfBefore(
      long version, long after, List<LedgerEntry> rows, Findings findings) {
    for (LedgerEntry row : rows) {
      if (row.claimedAt() != null
          && row.claimedAt() > after + CLOCK_MILLIS
          && row.jobVersion() < version) {
        findings.broken(
            Promise.UNEXPLAINED_DUPLICATE,
            ("execution %d of %s planned for %s was claimed at %s in version %d, after version %d"
                    + " was answered at %s")
                .formatted(
                    row.id(),
                    row.key(),
                    at(row.plannedFor()),
                    at(row.claimedAt()),
                    row.jobVersion(),
                    version,
                    at(after)));
      }
    }
  }
}
