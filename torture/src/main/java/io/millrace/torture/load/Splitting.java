package io.millrace.torture.load;

import io.millrace.api.Job;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the runs of a job of the load are split.
 *
 * @param kind what splits them
 * @param parts how many shards; of a map, how many parts the handler makes, and one more for each
 *     attempt that it is
 * @param reduces whether a reduce adds up what the parts returned
 * @param onPartFailure what a failed part means
 * @param within how long after its split a run may end; null if there is no limit
 * @param onWorkerLost what becomes of a part whose worker is gone
 */
public record Splitting(
    Kind kind,
    int parts,
    boolean reduces,
    PartFailurePolicy onPartFailure,
    @Nullable Duration within,
    WorkerLossPolicy onWorkerLost) {
  /** Runs are not split. */
  public static final Splitting NONE = of(Kind.NONE, 0, false);

  /** What splits a run. */
  public enum Kind {
    NONE,
    SHARDS,
    /** Its handler makes parts. */
    MAP,
    /** There is a part for each worker. */
    BROADCAST
  }

  /** Returns how a run is split into so many shards. */
  public static Splitting shards(int parts) {
    return of(Kind.SHARDS, parts, false);
  }

  /** Returns how a handler makes so many parts, and one more for each attempt. */
  static Splitting map(int parts) {
    return of(Kind.MAP, parts, true);
  }

  /** Returns how a run is split into a part for each worker. */
  public static Splitting broadcast() {
    return of(Kind.BROADCAST, 0, false);
  }

  private static Splitting of(Kind kind, int parts, boolean reduces) {
    return new Splitting(
        kind, parts, reduces, PartFailurePolicy.FINISH, null, WorkerLossPolicy.SKIP);
  }

  Splitting reducing() {
    return new Splitting(kind, parts, true, onPartFailure, within, onWorkerLost);
  }

  Splitting onPartFailure(PartFailurePolicy policy) {
    return new Splitting(kind, parts, reduces, policy, within, onWorkerLost);
  }

  Splitting within(Duration time) {
    return new Splitting(kind, parts, reduces, onPartFailure, time, onWorkerLost);
  }

  Splitting onWorkerLost(WorkerLossPolicy policy) {
    return new Splitting(kind, parts, reduces, onPartFailure, within, policy);
  }

  /** Returns whether runs are split into parts. */
  public boolean isSplit() {
    return kind != Kind.NONE;
  }

  void addTo(Job.Builder job) {
    switch (kind) {
      case NONE -> {}
      case SHARDS -> job.shards(parts);
      case BROADCAST -> job.broadcast();
      case MAP -> job.param(LoadJob.MAPS, String.valueOf(parts));
    }
    if (reduces) {
      job.reduce(LoadJob.REDUCE);
    }
    if (onPartFailure != PartFailurePolicy.FINISH) {
      job.onPartFailure(onPartFailure);
    }
    if (onWorkerLost != WorkerLossPolicy.SKIP) {
      job.onWorkerLost(onWorkerLost);
    }
    if (within != null) {
      job.within(within);
    }
  }
}
