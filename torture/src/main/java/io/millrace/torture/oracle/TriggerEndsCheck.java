package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks that every trigger ends once, that no row of it is recorded later, and that no execution
 * ends twice.
 */
final class TriggerEndsCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    executionsEndOnce(records, findings);
    Set<LedgerEntry.Trigger> live =
        records.tables().live().stream().map(LiveRow::trigger).collect(Collectors.toSet());
    records
        .byTrigger()
        .forEach((trigger, rows) -> endsOnce(rows, live.contains(trigger), findings));
  }

  private static void executionsEndOnce(Records records, Findings findings) {
    Set<Long> seen = new HashSet<>();
    for (LedgerEntry row : records.tables().ledger()) {
      if (!seen.add(row.id())) {
        findings.broken(
            Promise.ACCEPTED_TWICE,
            "execution %d of %s is in the ledger twice, again at %s"
                .formatted(row.id(), row.key(), at(row.finishedAt())));
      }
    }
  }

  private static void endsOnce(List<LedgerEntry> rows, boolean isLive, Findings findings) {
    List<LedgerEntry> ends = rows.stream().filter(LedgerEntry::isFinal).toList();
    LedgerEntry first = rows.get(0);
    if (ends.isEmpty()) {
      if (!isLive) {
        LedgerEntry last = rows.get(rows.size() - 1);
        findings.broken(
            Promise.LOST,
            "%s planned for %s went back (%s at %s, execution %d) and is in no table"
                .formatted(
                    first.key(),
                    at(first.plannedFor()),
                    last.status(),
                    at(last.finishedAt()),
                    last.id()));
      }
      return;
    }
    LedgerEntry end = ends.get(0);
    if (ends.size() > 1) {
      findings.broken(
          Promise.ACCEPTED_TWICE,
          "%s planned for %s ended %d times: %s (%d) at %s, %s (%d) at %s"
              .formatted(
                  first.key(),
                  at(first.plannedFor()),
                  ends.size(),
                  end.status(),
                  end.id(),
                  at(end.finishedAt()),
                  ends.get(1).status(),
                  ends.get(1).id(),
                  at(ends.get(1).finishedAt())));
    } else if (isLive) {
      findings.broken(
          Promise.ACCEPTED_TWICE,
          "%s planned for %s ended (%s, %d) at %s and is to run again"
              .formatted(
                  first.key(),
                  at(first.plannedFor()),
                  end.status(),
                  end.id(),
                  at(end.finishedAt())));
    }
    rows.stream()
        .filter(row -> row.id() > end.id() && row.isExecution() && !row.isFinal())
        .forEach(
            row ->
                findings.broken(
                    Promise.ACCEPTED_TWICE,
                    "%s planned for %s ended with %d at %s, and execution %d was claimed at %s"
                        .formatted(
                            row.key(),
                            at(row.plannedFor()),
                            end.id(),
                            at(end.finishedAt()),
                            row.id(),
                            at(row.claimedAt()))));
  }
}
