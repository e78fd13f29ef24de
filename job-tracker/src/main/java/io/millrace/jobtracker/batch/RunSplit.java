package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;

/**
 * A run that a claim splits: into shards, or into one part for each worker.
 *
 * @param batch to be inserted in place of the execution, whose id it has
 * @param workers those that its parts are for, in order of their numbers; none for shards
 * @param parts the first of its parts, to be inserted into waiting
 */
public record RunSplit(Batch batch, List<BoundTo> workers, List<WaitingTrigger> parts) {

  /**
   * Splits the run of a worker's claim. The worker gets a part only if it asks for one.
   *
   * @param params of the run, which its parts have too
   * @param workers those that it is for, if it is a broadcast
   * @param most how many parts to release at most; the others follow in other transactions
   */
  public static RunSplit of(
      Execution run,
      StoredParams params,
      List<BoundTo> workers,
      int most,
      IdSequence ids,
      long now) {
    Integer shards = run.spec().shards();
    Batch whole =
        shards == null
            ? Batch.opened(run.carrying(params), BatchKind.BROADCAST, workers.size())
            : Batch.opened(run.carrying(params), BatchKind.SHARDS, shards);
    int first = Math.min(whole.counts().total(), Math.min(ReleaseWindow.LEAST, most));
    return new RunSplit(
        whole.with(whole.counts().releasing(first)),
        workers,
        shards == null
            ? PartRelease.bound(whole, workers, 1, first, ids, now)
            : PartRelease.shards(whole, 1, first, ids, now));
  }
}
