package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Charge;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks that a step that a tracker has acknowledged runs in no later attempt of its trigger. A
 * later attempt has a higher id. The body of an earlier attempt may run late: its worker was
 * frozen, and its value is refused.
 */
final class ChargesCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, LedgerEntry> rows = records.executions();
    Map<LedgerEntry.Trigger, Charge> stored = new HashMap<>();
    List<Charge> sorted =
        records.charges().stream()
            .filter(charge -> rows.containsKey(charge.executionId()))
            .sorted(
                Comparator.comparingLong(Charge::executionId)
                    .thenComparing(Charge::isStored)
                    .thenComparingLong(Charge::at))
            .toList();
    for (Charge charge : sorted) {
      LedgerEntry row = Objects.requireNonNull(rows.get(charge.executionId()));
      Charge before = stored.get(row.trigger());
      if (charge.isStored()) {
        findings.tally("steps stored");
        stored.putIfAbsent(row.trigger(), charge);
      } else if (before != null && before.executionId() < charge.executionId()) {
        findings.broken(
            Promise.UNEXPLAINED_DUPLICATE,
            "%s: its step ran in execution %d at %s on %s, although execution %d had stored it at %s"
                .formatted(
                    row.key(),
                    charge.executionId(),
                    at(charge.at()),
                    charge.process(),
                    before.executionId(),
                    at(before.at())));
      }
    }
  }
}
