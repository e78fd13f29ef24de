package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Replay;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every dead trigger is recorded as one, that it has one replay at most, and that an
 * acknowledged replay exists. Other checks verify that each replay ends once, as every trigger
 * does.
 */
final class ReplaysCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, DeadRow> dead =
        records.tables().dead().stream()
            .collect(Collectors.toMap(DeadRow::id, Function.identity()));
    Set<LedgerEntry.Trigger> known = new HashSet<>();
    records.tables().live().forEach(row -> known.add(row.trigger()));
    for (LedgerEntry row : records.tables().ledger()) {
      known.add(row.trigger());
      recorded(row, dead, findings);
    }
    for (DeadRow row : records.tables().dead()) {
      LedgerEntry.@Nullable Trigger replay = row.replay();
      if (replay != null) {
        findings.tally("dead triggers replayed");
        if (!known.contains(replay)) {
          findings.broken(
              Promise.LOST,
              "dead trigger %d was replayed as %s, which is in no table"
                  .formatted(row.id(), replay));
        }
      }
    }
    records.replays().forEach(answer -> acknowledged(answer, dead.get(answer.deadId()), findings));
  }

  private static void recorded(LedgerEntry row, Map<Long, DeadRow> dead, Findings findings) {
    if (row.status() == LedgerStatus.DEAD && !dead.containsKey(row.id())) {
      findings.broken(
          Promise.LOST,
          "%s planned for %s ended DEAD with execution %d at %s, and cannot be replayed"
              .formatted(row.key(), at(row.plannedFor()), row.id(), at(row.finishedAt())));
    }
    Long replayOf = row.replayOf();
    if (replayOf == null) {
      return;
    }
    @Nullable DeadRow origin = dead.get(replayOf);
    LedgerEntry.@Nullable Trigger replay = origin == null ? null : origin.replay();
    if (!row.trigger().equals(replay)) {
      findings.broken(
          Promise.ACCEPTED_TWICE,
          "%s planned for %s (%d) replays dead trigger %d, whose replay is %s"
              .formatted(
                  row.key(),
                  at(row.plannedFor()),
                  row.id(),
                  replayOf,
                  replay == null ? "unknown" : replay));
    }
  }

  private static void acknowledged(Replay answer, @Nullable DeadRow dead, Findings findings) {
    switch (answer.status()) {
      case REPLAYED, REPLAYED_BEFORE -> {
        if (dead == null || !Objects.equals(dead.replayId(), answer.replayId())) {
          findings.broken(
              Promise.LOST,
              "%s answered at %s that dead trigger %d was replayed as %d, and its row says %s"
                  .formatted(
                      answer.process(),
                      at(answer.at()),
                      answer.deadId(),
                      answer.replayId(),
                      dead == null ? "nothing" : dead.replayId()));
        }
      }
      case REFUSED -> {
        // Its job had ended or was running; if it was running, the replay was requested again.
      }
      case NOT_FOUND, BAD_PARAMS ->
          findings.broken(
              Promise.LOST,
              "%s answered %s at %s for dead trigger %d"
                  .formatted(answer.process(), answer.status(), at(answer.at()), answer.deadId()));
    }
  }
}
