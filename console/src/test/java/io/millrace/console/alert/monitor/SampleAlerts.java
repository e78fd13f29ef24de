package io.millrace.console.alert.monitor;

import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Instant;
import java.util.List;

/** Ends and messages for tests that care about a few of their parts only. */
public final class SampleAlerts {
  public static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  private SampleAlerts() {}

  /** An end of the last attempt of a one-shot. */
  public static LedgerEntry end(String nodeGroup, String taskId, LedgerStatus status, long at) {
    return new LedgerEntry(
        at,
        nodeGroup,
        new TriggerCore(TriggerKey.oneShot(taskId), 1, 0, at, 4),
        status,
        true,
        Cause.of(CauseCode.ATTEMPTS_USED_UP),
        at,
        1,
        new Times(at, at, at, at, at),
        "worker-1",
        "java.io.IOException: no route to the printer",
        new Origin(null, null, null, null, null));
  }

  /** Three jobs died. */
  public static AlertMessage message(String id) {
    return message(id, "orders", "java.io.IOException: no route to the printer");
  }

  /** Three jobs of this node group died, the first for this reason. */
  public static AlertMessage message(String id, String nodeGroup, String why) {
    return new AlertMessage(
        id,
        AlertKind.DEAD,
        AlertPhase.HAPPENED,
        nodeGroup,
        "tracker-1.example.org:35001",
        NOON.plusSeconds(30),
        NOON,
        NOON.plusSeconds(21),
        3,
        0,
        null,
        null,
        null,
        null,
        List.of(
            new AlertExample("close:42", NOON, "attempts used up: " + why),
            new AlertExample("close:43", NOON.plusSeconds(4), "worker lost, attempts used up")));
  }
}
