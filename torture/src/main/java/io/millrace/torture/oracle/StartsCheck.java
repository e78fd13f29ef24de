package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.nemesis.Fault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a trigger begins once, and again only after its execution ended with a row that
 * explains why: the invocation requested it, or a fault explains why the execution was given up.
 */
final class StartsCheck implements Check {
  /** The maximum time after a thaw in which a worker detects that its lease has expired. */
  private static final long THAW_MILLIS = 2_000;

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, LedgerEntry> rows = records.executions();
    Set<Long> executing =
        records.tables().live().stream()
            .filter(LiveRow::isExecuting)
            .map(LiveRow::id)
            .collect(Collectors.toSet());
    Set<Long> begun = new HashSet<>();
    Map<LedgerEntry.Trigger, List<Begun>> byTrigger = new LinkedHashMap<>();
    for (Run run : byExecution(records.runs())) {
      findings.tally("starts");
      @Nullable LedgerEntry row = rows.get(run.executionId());
      if (!begun.add(run.executionId())) {
        findings.broken(
            Promise.UNEXPLAINED_DUPLICATE,
            "execution %d of %s began twice, again at %s on %s"
                .formatted(run.executionId(), run.key(), at(run.beganAt()), run.process()));
      } else if (row != null) {
        byTrigger.computeIfAbsent(row.trigger(), t -> new ArrayList<>()).add(new Begun(run, row));
        afterItsEnd(run, row, records.faults(), findings);
      } else if (!executing.contains(run.executionId())) {
        findings.broken(
            Promise.UNEXPLAINED_DUPLICATE,
            "execution %d of %s planned for %s began at %s on %s, but is in no table"
                .formatted(
                    run.executionId(),
                    run.key(),
                    at(run.plannedFor()),
                    at(run.beganAt()),
                    run.process()));
      }
    }
    byTrigger.values().forEach(starts -> furtherStarts(starts, records, findings));
  }

  private record Begun(Run run, LedgerEntry row) {}

  private static List<Run> byExecution(List<Run> runs) {
    List<Run> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingLong(Run::executionId).thenComparing(Run::beganAt));
    return sorted;
  }

  /**
   * Checks a start after the end of its execution. A worker that is cut off stops in time by
   * itself; only a frozen one cannot.
   */
  private static void afterItsEnd(Run run, LedgerEntry row, Faults faults, Findings findings) {
    // An invocation that reported its result did so after it began; another check finds a second
    // begin.
    if (row.reported() || run.beganAt() <= row.finishedAt() + Records.CLOCK_MILLIS) {
      if (run.endedAt() == null || run.endedAt() > row.finishedAt() + Records.CLOCK_MILLIS) {
        findings.tally(row.reported() ? "starts whose end was never written" : "zombies");
      }
      return;
    }
    if (faults.wasFrozen(run.process(), run.beganAt() - THAW_MILLIS, run.beganAt())) {
      findings.tally("zombies that began while they thawed");
      return;
    }
    findings.broken(
        Promise.UNEXPLAINED_DUPLICATE,
        "execution %d of %s began at %s on %s, after it had ended %s at %s"
            .formatted(
                run.executionId(),
                run.key(),
                at(run.beganAt()),
                run.process(),
                row.status(),
                at(row.finishedAt())));
  }

  private static void furtherStarts(List<Begun> starts, Records records, Findings findings) {
    for (int i = 1; i < starts.size(); i++) {
      further(starts.get(i - 1), starts.get(i), records, findings);
    }
  }

  private static void further(Begun before, Begun after, Records records, Findings findings) {
    @Nullable LoadJob job = records.jobs().get(before.run().key());
    switch (before.row().status()) {
      case RETRIED -> findings.tally("attempts after an exception");
      case POSTPONED -> findings.tally("runs after LATER");
      case RESCUED, RETURNED -> afterLoss(before, after, records.faults(), findings);
      case SUCCEEDED, FAILED, DEAD, CANCELLED, SKIPPED ->
          findings.broken(
              Promise.ACCEPTED_TWICE,
              "%s planned for %s ended %s with execution %d at %s and began again at %s as %d"
                  .formatted(
                      before.run().key(),
                      at(before.run().plannedFor()),
                      before.row().status(),
                      before.run().executionId(),
                      at(before.row().finishedAt()),
                      at(after.run().beganAt()),
                      after.run().executionId()));
    }
    if (job != null && job.retries() == 0) {
      findings.broken(
          Promise.UNEXPLAINED_DUPLICATE,
          "%s planned for %s may run once at most and began twice: %d at %s, %d at %s"
              .formatted(
                  job.key(),
                  at(before.run().plannedFor()),
                  before.run().executionId(),
                  at(before.run().beganAt()),
                  after.run().executionId(),
                  at(after.run().beganAt())));
    }
  }

  private static void afterLoss(Begun before, Begun after, Faults faults, Findings findings) {
    long claimed = before.row().claimedAt() == null ? 0 : before.row().claimedAt();
    Optional<Fault> why =
        faults.explaining(before.row().workerId(), claimed, before.row().finishedAt());
    if (why.isPresent()) {
      Fault fault = why.get();
      findings.tally(
          "duplicate starts explained by " + fault.kind() + " of " + fault.victim().part());
    } else {
      findings.broken(
          Promise.UNEXPLAINED_DUPLICATE,
          ("%s planned for %s began at %s on %s (%d) and again at %s on %s (%d); the first was %s"
                  + " at %s, and no fault explains it")
              .formatted(
                  before.run().key(),
                  at(before.run().plannedFor()),
                  at(before.run().beganAt()),
                  before.run().process(),
                  before.run().executionId(),
                  at(after.run().beganAt()),
                  after.run().process(),
                  after.run().executionId(),
                  before.row().status(),
                  at(before.row().finishedAt())));
    }
  }
}
