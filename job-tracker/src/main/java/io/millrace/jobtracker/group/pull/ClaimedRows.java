package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.batch.RunSplit;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The changes of one claim transaction to the rows that it deleted, and the rows that it leaves
 * alone. Created anew when the transaction is repeated. Not thread-safe.
 */
final class ClaimedRows {
  private final List<Won> won = new ArrayList<>();
  private final List<Batch> split = new ArrayList<>();
  private final Map<Long, Long> rowsOfSplit = new HashMap<>();
  private final Map<Long, List<BoundTo>> workersOfSplit = new TreeMap<>();
  private final List<WaitingTrigger> backToWaiting = new ArrayList<>();
  private long bytesOfParts;
  private final List<TriggerCompletion> skipped = new ArrayList<>();
  private final List<Long> tooEarly = new ArrayList<>();

  void runs(Won one) {
    won.add(one);
  }

  /** Adds a run that was split, and its first parts. */
  void isSplit(Won run, RunSplit one) {
    split.add(one.batch());
    rowsOfSplit.put(one.batch().id(), run.candidate().rowId());
    backToWaiting.addAll(one.parts());
    bytesOfParts += one.parts().stream().mapToLong(part -> part.params().bytes()).sum();
    if (!one.workers().isEmpty()) {
      workersOfSplit.put(one.batch().id(), one.workers());
    }
  }

  /** Adds a row that waits: for its turn, or as the next trigger of a chained job. */
  void waits(WaitingTrigger row) {
    backToWaiting.add(row);
  }

  void isSkipped(TriggerCompletion end) {
    skipped.add(end);
  }

  /** Adds rows that are not changed: their turns are checked again at their due time. */
  void areTooEarly(Collection<Long> rowIds) {
    tooEarly.addAll(rowIds);
  }

  List<Long> tooEarly() {
    return tooEarly;
  }

  List<Won> won() {
    return won;
  }

  List<Batch> split() {
    return split;
  }

  /** The waiting row of a run that was split. */
  long rowOf(Batch batch) {
    return Objects.requireNonNull(rowsOfSplit.get(batch.id()));
  }

  /** The workers that broadcasts are for which were split, by their ids. */
  Map<Long, List<BoundTo>> workersOfSplit() {
    return workersOfSplit;
  }

  List<WaitingTrigger> backToWaiting() {
    return backToWaiting;
  }

  /** Bytes of parameters of the first parts of all runs that were split. */
  long bytesOfParts() {
    return bytesOfParts;
  }

  List<TriggerCompletion> skipped() {
    return skipped;
  }
}
