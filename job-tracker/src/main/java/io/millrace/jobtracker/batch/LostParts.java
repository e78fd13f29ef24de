package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Ends the waiting parts of broadcasts whose workers are gone, in a transaction of its own, as
 * their jobs say. Parts of a run that was told to end are left to {@link PartWithdrawal}.
 * Thread-safe.
 */
public final class LostParts {
  /** The most parts that one transaction ends; each may be a row in four tables. */
  public static final int MOST = 450;

  /** The most bytes of parameters that one transaction keeps, unless a part alone has more. */
  public static final long MOST_BYTES = 4 << 20;

  private final Stores stores;
  private final WaitingPartEnds ends;

  public LostParts(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.ends = new WaitingPartEnds(stores, ids);
  }

  /**
   * Ends those of these parts that still wait, and returns the progress of their batches, by id.
   *
   * @param parts of any runs, {@value #MOST} and {@link #MOST_BYTES} of parameters at most
   */
  public Map<Long, BatchProgress> end(String nodeGroup, List<WaitingTrigger> parts, long now) {
    return WaitingPartEnds.inTwoAttempts(
        rowByRow ->
            stores
                .transactions()
                .repeating(
                    "end parts of " + nodeGroup + " whose workers are gone",
                    () -> endOnce(nodeGroup, parts, rowByRow, now)));
  }

  private Map<Long, BatchProgress> endOnce(
      String nodeGroup, List<WaitingTrigger> parts, boolean rowByRow, long now) {
    PartEnding batches =
        PartEnding.lock(
            stores, List.of(), parts.stream().map(WaitingTrigger::jobId).distinct().toList());
    Map<Long, BatchProgress> progress = new HashMap<>();
    List<WaitingTrigger> open = new ArrayList<>();
    for (WaitingTrigger part : parts) {
      LockedBatch batch = batches.find(part.jobId());
      if (batch != null && batch.isOpen()) {
        progress.put(batch.id(), batch.progress());
        open.add(part);
      }
    }
    ends.end(
        nodeGroup,
        open,
        batches,
        spec -> CompletionRules.withoutItsWorker(spec, Cause.of(CauseCode.WORKER_GONE, idOf(spec))),
        rowByRow,
        now);
    progress.putAll(batches.counted());
    return progress;
  }

  private static String idOf(TriggerSpec spec) {
    BoundTo worker = Objects.requireNonNull(spec.boundTo(), "the part is for every worker");
    return worker.workerId();
  }
}
