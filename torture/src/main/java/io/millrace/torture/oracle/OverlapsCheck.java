package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
            disjoint(key, runs, rows, findings);
          } else {
            runs.stream()
                .collect(Collectors.groupingBy(run -> triggerOf(run, rows)))
                .values()
                .forEach(ofTrigger -> disjoint(key, ofTrigger, rows, findings));
          }
        });
  }

  private static String triggerOf(Run run, Map<Long, LedgerEntry> rows) {
    @Nullable LedgerEntry row = rows.get(run.executionId());
    return row == null ? "execution " + run.executionId() : row.trigger().toString();
  }

  private static void disjoint(
      String key, List<Run> runs, Map<Long, LedgerEntry> rows, Findings findings) {
    List<Run> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingLong(Run::beganAt));
    List<Run> open = new ArrayList<>();
    for (Run run : sorted) {
      open.removeIf(before -> isOver(before, rows.get(before.executionId()), run.beganAt()));
      for (Run before : open) {
        if (areDifferentParts(rows.get(before.executionId()), rows.get(run.executionId()))) {
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

  private static boolean areDifferentParts(@Nullable LedgerEntry one, @Nullable LedgerEntry other) {
    return one != null
        && other != null
        && one.batch() != null
        && one.batch().equals(other.batch())
        && one.ordinal() != other.ordinal();
  }

  /**
   * Returns whether the run is over. An invocation whose execution was given up is a zombie and
   * counts as over.
   */
  private static boolean isOver(Run run, @Nullable LedgerEntry row, long now) {
    boolean hasEnded = run.endedAt() != null && run.endedAt() <= now;
    return hasEnded || (row != null && !row.reported() && row.finishedAt() <= now);
  }
}
