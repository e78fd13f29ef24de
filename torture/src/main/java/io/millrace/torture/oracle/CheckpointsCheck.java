package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Checkpoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an attempt finds only checkpoints of earlier attempts of its trigger, or of the dead
 * triggers that it replays, and none that an invocation made when its execution had already ended.
 */
final class CheckpointsCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, LedgerEntry> rows = records.executions();
    Origins origins = records.origins();
    Map<Long, Long> madeAt = new HashMap<>();
    for (Checkpoint checkpoint : records.checkpoints()) {
      if (checkpoint.found() == null) {
        madeAt.put(checkpoint.executionId(), checkpoint.at());
        @Nullable LedgerEntry row = rows.get(checkpoint.executionId());
        if (row != null && isAfterItsEnd(checkpoint.at(), row)) {
          findings.tally("checkpoints made after the end of their execution");
        }
      }
    }
    for (Checkpoint checkpoint : records.checkpoints()) {
      Long found = checkpoint.found();
      @Nullable LedgerEntry row = rows.get(checkpoint.executionId());
      if (found != null && row != null) {
        findings.tally("checkpoints found");
        found(row, rows.get(found), madeAt.get(found), origins, findings);
      }
    }
  }

  private static boolean isAfterItsEnd(long madeAt, LedgerEntry row) {
    return madeAt > row.finishedAt() + Records.CLOCK_MILLIS;
  }

  private static void found(
      LedgerEntry row,
      @Nullable LedgerEntry maker,
      @Nullable Long madeAt,
      Origins origins,
      Findings findings) {
    if (maker == null
        || maker.id() >= row.id()
        || !origins.firstOf(maker.trigger()).equals(origins.firstOf(row.trigger()))) {
      findings.broken(
          Promise.UNEXPLAINED_DUPLICATE,
          "%s planned for %s: execution %d found a checkpoint that is of no earlier attempt (%s)"
              .formatted(
                  row.key(),
                  at(row.plannedFor()),
                  row.id(),
                  maker == null ? "unknown" : maker.key() + " " + maker.id()));
    } else if (madeAt != null && isAfterItsEnd(madeAt, maker)) {
      findings.broken(
          Promise.ACCEPTED_TWICE,
          "%s: execution %d found the checkpoint that %d made at %s, after it had ended %s at %s"
              .formatted(
                  row.key(),
                  row.id(),
                  maker.id(),
                  at(madeAt),
                  maker.status(),
                  at(maker.finishedAt())));
    }
  }
}
