package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;
import java.util.Objects;

/**
 * A run that a claim splits into shards.
 *
 * @param batch to be inserted in place of the execution, whose id it has
 * @param parts the first of its parts, to be inserted into waiting
 */
public record RunSplit(Batch batch, List<WaitingTrigger> parts) {

  /** Whether the run has to be split rather than to be executed. */
  public static boolean isDue(Execution run) {
    return run.spec().shards() != null;
  }

  /**
   * Splits the run of a worker's claim. The worker gets a part only if it asks for one.
   *
   * @param params of the run, which its parts have too
   * @param most how many parts to release at most; the others follow in other transactions
   */
  public static RunSplit of(
      Execution run, StoredParams params, int most, IdSequence ids, long now) {
    int shards = Objects.requireNonNull(run.spec().shards(), "the run has no shards");
    Batch whole = Batch.opened(run.carrying(params), BatchKind.SHARDS, shards);
    int first = Math.min(shards, Math.min(ReleaseWindow.LEAST, most));
    return new RunSplit(
        whole.with(whole.counts().releasing(first)), PartRelease.shards(whole, 1, first, ids, now));
  }
}
