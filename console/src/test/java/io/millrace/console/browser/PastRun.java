package io.millrace.console.browser;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run that succeeded and that no test has to wait for: it is written to the ledger as if it had
 * been. It began when it was claimed, or when it was due if that was later.
 *
 * @param job the id of the definition
 */
record PastRun(
    String nodeGroup,
    String taskId,
    long job,
    Instant due,
    Instant claimed,
    Instant finished,
    @Nullable String worker) {

  static void write(ConsoleScene scene, PastRun... runs) {
    write(scene, Arrays.asList(runs));
  }

  static void write(ConsoleScene scene, List<PastRun> runs) {
    scene.console().database().stores().ledger().append(runs.stream().map(PastRun::row).toList());
  }

  /** The execution; the ids of runs that were claimed in the same millisecond are the same. */
  long id() {
    return IdSequence.lowestAt(claimed.toEpochMilli());
  }

  private LedgerEntry row() {
    long at = due.toEpochMilli();
    long claimedAt = claimed.toEpochMilli();
    return new LedgerEntry(
        id(),
        nodeGroup,
        new TriggerCore(TriggerKey.planned(taskId, at), job, 1, at, 1),
        LedgerStatus.SUCCEEDED,
        true,
        null,
        at,
        1,
        new LedgerEntry.Times(at, at, claimedAt, Math.max(at, claimedAt), finished.toEpochMilli()),
        worker,
        null,
        new LedgerEntry.Origin(null, null, null, null, null));
  }
}
