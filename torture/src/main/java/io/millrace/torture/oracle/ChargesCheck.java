package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Charge;
import io.millrace.torture.load.Behaviour;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the steps of each trigger, together with those of the dead triggers that it replays: a
 * step that a tracker has acknowledged runs in no later attempt, and a trigger does not succeed
 * without its step, for example with what another one of its task id has stored. The key of the
 * step, by which others recognize a second charge, is the same in all of them, and no other trigger
 * has it. A later attempt has a higher id. The body of an earlier attempt may run late: its worker
 * was frozen, and its value is refused.
 */
final class ChargesCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, LedgerEntry> rows = records.executions();
    Origins origins = records.origins();
    Map<LedgerEntry.Trigger, Charge> stored = new HashMap<>();
    Map<LedgerEntry.Trigger, String> keys = new HashMap<>();
    Map<String, LedgerEntry.Trigger> owners = new HashMap<>();
    Set<String> oneShots = new HashSet<>();
    for (Charge charge : sorted(records, rows)) {
      LedgerEntry row = Objects.requireNonNull(rows.get(charge.executionId()));
      LedgerEntry.Trigger first = origins.firstOf(row.trigger());
      if (charge.isStored()) {
        findings.tally("steps stored");
        stored.putIfAbsent(first, charge);
      } else {
        String key = Objects.requireNonNull(charge.key());
        @Nullable String before = keys.putIfAbsent(first, key);
        if (before == null && row.jobVersion() == 0 && !oneShots.add(row.key())) {
          findings.tally("steps of a task id that was used before");
        }
        keyed(row, key, before, findings);
        shared(row, key, first, owners.putIfAbsent(key, first), findings);
        again(row, charge, stored.get(first), findings);
      }
    }
    SplitRuns runs = new SplitRuns(records);
    for (LedgerEntry row : records.tables().ledger()) {
      @Nullable Behaviour behaviour = runs.behaviourOf(row);
      boolean charges = behaviour != null && behaviour.charges();
      if (row.status() == LedgerStatus.SUCCEEDED && charges) {
        LedgerEntry.Trigger first = origins.firstOf(row.trigger());
        @Nullable Charge before = stored.get(first);
        if (!keys.containsKey(first)) {
          neverRan(row, findings);
        } else if (before != null && !triggerOf(before, rows).equals(row.trigger())) {
          findings.tally("replays that found the step of a dead trigger");
        }
      }
    }
  }

  private static List<Charge> sorted(Records records, Map<Long, LedgerEntry> rows) {
    return records.charges().stream()
        .filter(charge -> rows.containsKey(charge.executionId()))
        .sorted(
            Comparator.comparingLong(Charge::executionId)
                .thenComparing(Charge::isStored)
                .thenComparingLong(Charge::at))
        .toList();
  }

  private static LedgerEntry.Trigger triggerOf(Charge charge, Map<Long, LedgerEntry> rows) {
    return Objects.requireNonNull(rows.get(charge.executionId())).trigger();
  }

  private static void again(
      LedgerEntry row, Charge charge, @Nullable Charge before, Findings findings) {
    if (before != null && before.executionId() < charge.executionId()) {
      findings.broken(
          Promise.UNEXPLAINED_DUPLICATE,
          "%s: its step ran in execution %d%s at %s on %s, although execution %d had stored it at %s"
              .formatted(
                  row.key(),
                  charge.executionId(),
                  row.replayOf() == null ? "" : " (a replay of " + row.replayOf() + ")",
                  at(charge.at()),
                  charge.process(),
                  before.executionId(),
                  at(before.at())));
    }
  }

  private static void keyed(
      LedgerEntry row, String key, @Nullable String before, Findings findings) {
    if (before != null && !before.equals(key)) {
      findings.broken(
          Promise.UNEXPLAINED_DUPLICATE,
          "%s: its step had the key %s in execution %d, and %s in an earlier one"
              .formatted(row.key(), key, row.id(), before));
    }
  }

  private static void shared(
      LedgerEntry row,
      String key,
      LedgerEntry.Trigger own,
      LedgerEntry.@Nullable Trigger other,
      Findings findings) {
    if (other != null && !other.equals(own)) {
      findings.broken(
          Promise.LOST,
          "%s: its step had the key %s in execution %d, which is that of %s"
              .formatted(row.key(), key, row.id(), other));
    }
  }

  private static void neverRan(LedgerEntry row, Findings findings) {
    findings.broken(
        Promise.LOST,
        "%s planned for %s succeeded with execution %d at %s, but its step never ran"
            .formatted(row.key(), at(row.plannedFor()), row.id(), at(row.finishedAt())));
  }
}
