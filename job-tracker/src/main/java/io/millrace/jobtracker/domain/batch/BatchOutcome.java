package io.millrace.jobtracker.domain.batch;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run ends whose parts have all ended. The run as a whole is never repeated.
 *
 * @param status CANCELLED if it was cancelled; DEAD if a part is, or at its deadline; FAILED if a
 *     part or the reduce failed or was cancelled; otherwise SUCCEEDED
 * @param cause why, if it did not succeed
 */
public record BatchOutcome(LedgerStatus status, @Nullable Cause cause) {

  /** The run is a part itself, and its batch has no room for what it returned. */
  public static final BatchOutcome RESULT_TOO_LARGE =
      new BatchOutcome(LedgerStatus.DEAD, Cause.of(CauseCode.RESULTS_TOO_LARGE));

  /** The end of the run, or empty if its reduce has to run first. */
  public static Optional<BatchOutcome> of(Batch batch) {
    PartCounts counts = batch.counts();
    if (!counts.isAllEnded() || batch.reduce() == ReduceState.RELEASED) {
      throw new IllegalStateException("batch " + batch.id() + " has parts that have not ended");
    }
    if (batch.stop() == BatchStop.CANCELLED) {
      return Optional.of(new BatchOutcome(LedgerStatus.CANCELLED, whyCancelled(batch)));
    }
    if (batch.stop() == BatchStop.DEADLINE) {
      return ends(LedgerStatus.DEAD, Cause.of(CauseCode.NOT_ENDED_IN_TIME));
    }
    return failsByParts(batch) ? failed(batch) : afterParts(batch.reduce());
  }

  private static Cause whyCancelled(Batch batch) {
    String by = batch.run().terminatedBy();
    if (by != null) {
      return Cause.of(CauseCode.TERMINATED_BY, by);
    }
    return Cause.of(
        batch.ancestry().parent() == null
            ? CauseCode.CANCELLED_WHILE_EXECUTING
            : CauseCode.BATCH_STOPPED);
  }

  private static boolean failsByParts(Batch batch) {
    return batch.onPartFailure() != PartFailurePolicy.IGNORE
        && (batch.stop() == BatchStop.PART_FAILED || failuresOfParts(batch) > 0);
  }

  private static Optional<BatchOutcome> failed(Batch batch) {
    int dead = batch.counts().standingDead() - (batch.reduce() == ReduceState.DEAD ? 1 : 0);
    return ends(
        dead > 0 ? LedgerStatus.DEAD : LedgerStatus.FAILED,
        Cause.of(CauseCode.PARTS_FAILED, failuresOfParts(batch), totalOf(batch.counts())));
  }

  private static int totalOf(PartCounts counts) {
    return counts.total() - counts.replaced();
  }

  /** The reduce is a part too, but what it did is not among what the others did. */
  private static int failuresOfParts(Batch batch) {
    int ofReduce =
        switch (batch.reduce()) {
          case FAILED, DEAD, CANCELLED -> 1;
          case NONE, TO_COME, RELEASED, SUCCEEDED -> 0;
        };
    return batch.counts().failures() - ofReduce;
  }

  private static Optional<BatchOutcome> afterParts(ReduceState reduce) {
    return switch (reduce) {
      case NONE, SUCCEEDED -> ends(LedgerStatus.SUCCEEDED, null);
      case FAILED, CANCELLED -> ends(LedgerStatus.FAILED, Cause.of(CauseCode.REDUCE_FAILED));
      case DEAD -> ends(LedgerStatus.DEAD, Cause.of(CauseCode.REDUCE_FAILED));
      case TO_COME -> Optional.empty();
      case RELEASED -> throw new IllegalStateException("a reduce that has not ended");
    };
  }

  private static Optional<BatchOutcome> ends(LedgerStatus status, @Nullable Cause cause) {
    return Optional.of(new BatchOutcome(status, cause));
  }
}
