package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that two executions of one trigger, or of a job that may run once at a time, do not
 * overlap, except for an invocation whose execution was given up before the next one began. Parts
 * of one run may.
 */
final class OverlapsCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    Map<Long, LedgerEntry> rows = records.executions();
    Map<String, List<Run>> byJob = records.runs().stream().collect(Collectors.groupingBy(Run::key));
    byJob.forEach(
        (key, runs) -> {
          @Nullable LoadJob job = records.jobs().get(key);
          boolean isExclusive = job != null && job.isExclusive();
          if (isExclusive) {
            disjoint(key, runs, records, findings);
          } else {
            runs.stream()
                .collect(Collectors.groupingBy(run -> triggerOf(run, rows)))
                .values()
                .forEach(ofTrigger -> disjoint(key, ofTrigger, records, findings));
          }
        });
  }

  private static String triggerOf(Run run, Map<Long, LedgerEntry> rows) {
    @Nullable LedgerEntry row = rows.get(run.executionId());
    return row == null ? "execution " + run.executionId() : row.trigger().toString();
  }

  private static void disjoint(String key, List<Run> runs, Records records, Findings findings) {
    Map<Long, LedgerEntry> rows = records.executions();
    UnaryOperator<LedgerEntry> topOf = records.topRuns();
    Faults faults = records.faults();
    List<Run> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingLong(Run::beganAt));
    List<Run> open = new ArrayList<>();
    for (Run run : sorted) {
      open.removeIf(
          before -> isOver(before, rows.get(before.executionId()), faults, run.beganAt()));
      for (Run before : open) {
        if (areParts(rows.get(before.executionId()), rows.get(run.executionId()), topOf)) {
          continue;
        }
        findings.broken(
            Promise.UNEXPLAINED_DUPLICATE,
            "%s: %d (for %s, from %s to %s on %s) was under way when %d (for %s) began at %s on %s"
                .formatted(
                    key,
                    before.executionId(),
                    at(before.plannedFor()),
                    at(before.beganAt()),
                    at(before.endedAt()),
                    before.process(),
                    run.executionId(),
                    at(run.plannedFor()),
                    at(run.beganAt()),
                    run.process()));
      }
      open.add(run);
    }
  }

  /** Whether these are different parts below one run. */
  private static boolean areParts(
      @Nullable LedgerEntry one, @Nullable LedgerEntry other, UnaryOperator<LedgerEntry> topOf) {
    return one != null
        && other != null
        && one.batch() != null
        && other.batch() != null
        && topOf.apply(one).id() == topOf.apply(other).id()
        && !one.trigger().equals(other.trigger());
  }

  /**
   * Returns whether the run is over. An invocation whose execution was given up is a zombie and
   * counts as over. One that waited for a tracker when its worker was stopped is reported without
   * its end, and ends with its process.
   */
  private static boolean isOver(Run run, @Nullable LedgerEntry row, Faults faults, long now) {
    boolean hasEnded =
        run.endedAt() == null
            ? faults.ended(run.process(), run.beganAt(), now)
            : run.endedAt() <= now;
    return hasEnded || (row != null && !row.reported() && row.finishedAt() <= now);
  }
}
