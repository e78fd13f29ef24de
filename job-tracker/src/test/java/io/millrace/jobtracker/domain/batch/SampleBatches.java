package io.millrace.jobtracker.domain.batch;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import org.jspecify.annotations.Nullable;

/** Batches for tests that care about a few of their parts only. */
public final class SampleBatches {
  private static final long ID = 7;

  private SampleBatches() {}

  /** An open batch of shards, of a one-shot. */
  public static Batch open(int parts) {
    return open(ID, parts);
  }

  /** As {@link #open(int)}, of this id. */
  public static Batch open(long id, int parts) {
    return Batch.opened(
        SampleTriggers.execution(id, 1, RetryPolicy.DEFAULT), BatchKind.SHARDS, parts);
  }

  /** A batch with these counts; it is stopping if it has a reason for that. */
  public static Batch with(
      PartCounts counts,
      PartFailurePolicy onPartFailure,
      ReduceState reduce,
      @Nullable BatchStop stop) {
    Batch open = open(1);
    return new Batch(
        open.run(),
        BatchKind.MAP,
        stop == null ? BatchState.OPEN : BatchState.STOPPING,
        counts,
        onPartFailure,
        reduce,
        open.ancestry(),
        open.openedAt(),
        null,
        stop,
        0,
        0);
  }
}
