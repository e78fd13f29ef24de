package io.millrace.torture.oracle;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Run;
import io.millrace.torture.load.Behaviour;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.MapPart;
import io.millrace.torture.load.Splitting;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the load says about the parts of the runs that were split. Immutable. */
final class SplitRuns {
  private final Map<String, LoadJob> jobs;
  private final Function<LedgerEntry, String> keys;
  private final Map<Long, LedgerEntry> executions;
  private final Map<Long, List<LedgerEntry>> parts;
  private final Map<Long, List<Run>> runs;

  SplitRuns(Records records) {
    this.jobs = records.jobs();
    this.keys = records.jobKeys();
    this.executions = records.executions();
    this.parts = records.partsByBatch();
    this.runs = records.runsByExecution();
  }

  /**
   * Returns the job that a row belongs to, also if it is a part; null if it was never submitted.
   */
  @Nullable LoadJob jobOf(LedgerEntry row) {
    return jobs.get(keys.apply(row));
  }

  /** Returns the rows of the parts of a run; none if it was not split. */
  List<LedgerEntry> partsOf(LedgerEntry run) {
    return run.isExecution() ? parts.getOrDefault(run.id(), List.of()) : List.of();
  }

  /** Returns the run that a part is of; null if it is none, or has not ended. */
  @Nullable LedgerEntry runOf(LedgerEntry part) {
    Long batch = part.batch();
    return batch == null ? null : executions.get(batch);
  }

  /** Returns whether the load lets an invocation of this trigger split it. */
  boolean isToBeSplit(LedgerEntry run, LoadJob job) {
    if (run.batch() == null) {
      return job.splitting().isSplit();
    }
    return job.splitting().kind() == Splitting.Kind.MAP && !isReduce(run) && madeBy(run, job) >= 0;
  }

  /** Returns how many parts a run has that was split; its reduce is none of them. */
  int totalOf(LedgerEntry run, LoadJob job) {
    return switch (job.splitting().kind()) {
      case NONE -> 0;
      case SHARDS -> job.splitting().parts();
      case MAP -> madeBy(run, job) + run.attempt();
      case BROADCAST -> workersOf(run, job);
    };
  }

  /** What an invocation was told; if none began, all parts ended without one, and have a row. */
  private int workersOf(LedgerEntry run, LoadJob job) {
    List<LedgerEntry> rows = partsOf(run);
    int last = rows.stream().mapToInt(SplitRuns::lastOf).max().orElse(0);
    boolean isReduced =
        job.splitting().reduces() && run.status() == LedgerStatus.SUCCEEDED && last > 1;
    return rows.stream()
        .flatMap(row -> runs.getOrDefault(row.id(), List.of()).stream())
        .mapToInt(Run::shards)
        .filter(shards -> shards > 1)
        .findFirst()
        .orElse(isReduced ? last - 1 : last);
  }

  private static int lastOf(LedgerEntry row) {
    return (int) (row.ordinal() + row.instants() - 1);
  }

  private int madeBy(LedgerEntry run, LoadJob job) {
    return run.batch() == null ? job.splitting().parts() : mapPart(run, job).maps();
  }

  private MapPart mapPart(LedgerEntry part, LoadJob job) {
    LedgerEntry run = runOf(part);
    return MapPart.of(job.behaviour(), part.ordinal(), run != null && run.batch() != null);
  }

  /** Returns whether a row is of a reduce. */
  boolean isReduce(LedgerEntry row) {
    LedgerEntry run = runOf(row);
    LoadJob job = jobOf(row);
    return run != null && job != null && row.ordinal() > totalOf(run, job);
  }

  /** Returns what an invocation of this trigger does; null if it splits it, or is a reduce. */
  @Nullable Behaviour behaviourOf(LedgerEntry row) {
    LoadJob job = jobOf(row);
    if (job == null || isReduce(row) || isToBeSplit(row, job)) {
      return null;
    }
    return job.splitting().kind() == Splitting.Kind.MAP
        ? mapPart(row, job).behaviour()
        : job.behaviour();
  }

  /** Returns whether a part was cancelled because a run above it did not end in time or failed. */
  boolean isStopped(LedgerEntry part) {
    LoadJob job = jobOf(part);
    for (LedgerEntry run = runOf(part); run != null; run = runOf(run)) {
      boolean hasFailed = run.status() == LedgerStatus.FAILED || run.status() == LedgerStatus.DEAD;
      boolean stops =
          job != null && job.splitting().onPartFailure() == PartFailurePolicy.STOP && hasFailed;
      if (stops || run.isCausedBy(CauseCode.NOT_ENDED_IN_TIME)) {
        return true;
      }
    }
    return false;
  }
}
