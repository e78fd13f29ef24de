package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Splitting;
import io.millrace.torture.load.Workload;
import io.millrace.torture.nemesis.Fault;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that of each broadcast every worker process has one part at most, that a part runs on one
 * only, and that no worker lacks one that pulled before and after the split.
 */
final class BroadcastsCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    SplitRuns split = new SplitRuns(records);
    Map<Long, List<Run>> runs = records.runsByExecution();
    Map<String, List<LedgerEntry>> claims =
        records.executions().values().stream()
            .filter(row -> row.reported() && row.workerId() != null)
            .collect(Collectors.groupingBy(LedgerEntry::nodeGroup));
    for (LedgerEntry run : records.executions().values()) {
      @Nullable LoadJob job = split.jobOf(run);
      if (run.batch() != null
          || job == null
          || job.splitting().kind() != Splitting.Kind.BROADCAST
          || split.partsOf(run).isEmpty()) {
        continue;
      }
      findings.tally("broadcasts");
      if (run.claimedAt() != null
          && records
              .faults()
              .restartedWithin(run.claimedAt(), records.faults().workerLease().toMillis())
              .isPresent()) {
        findings.tally("broadcasts within a lease after the restart of a tracker");
      }
      List<LedgerEntry> parts =
          split.partsOf(run).stream().filter(row -> !split.isReduce(row)).toList();
      partsAndProcesses(run, parts, runs, findings);
      Set<String> reached =
          parts.stream()
              .map(row -> row.workerId() == null ? goneWorkerOf(row) : row.workerId())
              .collect(Collectors.toSet());
      living(run, job, claims.getOrDefault(run.nodeGroup(), List.of()), records.faults()).stream()
          .filter(worker -> !reached.contains(worker) && !reached.contains(UNKNOWN))
          .forEach(
              worker ->
                  findings.broken(
                      Promise.LOST,
                      "%s planned for %s (batch %d) was split at %s into parts for %s, without %s"
                          .formatted(
                              run.key(),
                              at(run.plannedFor()),
                              run.id(),
                              at(run.claimedAt()),
                              reached,
                              worker)));
    }
  }

  /** The worker of a part that was cancelled before anyone claimed it. */
  private static final String UNKNOWN = "unknown";

  private static String goneWorkerOf(LedgerEntry row) {
    return JustifiedEndsCheck.goneWorkerOf(row).orElse(UNKNOWN);
  }

  private static void partsAndProcesses(
      LedgerEntry run, List<LedgerEntry> parts, Map<Long, List<Run>> runs, Findings findings) {
    Map<Integer, Set<String>> processes = new HashMap<>();
    Map<String, Set<Integer>> numbers = new HashMap<>();
    for (LedgerEntry part : parts) {
      for (Run begun : runs.getOrDefault(part.id(), List.of())) {
        processes.computeIfAbsent(part.ordinal(), n -> new HashSet<>()).add(begun.process());
        numbers.computeIfAbsent(begun.process(), p -> new HashSet<>()).add(part.ordinal());
        if (begun.shard() != part.ordinal()) {
          findings.broken(
              Promise.UNEXPLAINED_DUPLICATE,
              "part %d of batch %d was told to be %d of %d"
                  .formatted(part.ordinal(), run.id(), begun.shard(), begun.shards()));
        }
      }
    }
    processes.forEach((number, of) -> atMostOne(run, "part " + number, of, findings));
    numbers.forEach((process, of) -> atMostOne(run, process, of, findings));
  }

  private static void atMostOne(LedgerEntry run, String what, Set<?> of, Findings findings) {
    if (of.size() > 1) {
      findings.broken(
          Promise.UNEXPLAINED_DUPLICATE,
          "in the broadcast %s planned for %s (batch %d), %s belongs to %s"
              .formatted(run.key(), at(run.plannedFor()), run.id(), what, of));
    }
  }

  /**
   * The workers that certainly belong to a broadcast: they got work of its node group within half a
   * lease before the split, or before a tracker was restarted less than a lease before it, and
   * again soon after it; and nothing happened to them in between.
   */
  private static Set<String> living(
      LedgerEntry run, LoadJob job, List<LedgerEntry> claims, Faults faults) {
    long at = run.claimedAt() == null ? 0 : run.claimedAt();
    long lease = faults.workerLease().toMillis();
    long known = faults.restartedWithin(at, lease).map(Fault::beganAt).orElse(at);
    return claims.stream()
        .filter(row -> isBetween(row.claimedAt(), known - lease / 2, known - 1))
        .map(LedgerEntry::workerId)
        .filter(worker -> worker != null && isAble(worker, job))
        .filter(worker -> !wasHit(worker, at, faults))
        .filter(
            worker ->
                claims.stream()
                    .anyMatch(
                        row ->
                            worker.equals(row.workerId())
                                && isBetween(row.claimedAt(), at + 1, at + 2 * lease)))
        .collect(Collectors.toSet());
  }

  private static boolean isAble(String worker, LoadJob job) {
    return job.label() == null || Workload.labelsOf(worker).contains(job.label());
  }

  private static boolean isBetween(@Nullable Long time, long from, long to) {
    return time != null && time >= from && time <= to;
  }

  /** A worker that has just started is known to others only after a while. */
  private static boolean wasHit(String worker, long at, Faults faults) {
    return faults
        .hitting(
            worker,
            at - 3 * faults.workerLease().toMillis(),
            at + 2 * faults.workerLease().toMillis())
        .map(Fault::kind)
        .isPresent();
  }
}
