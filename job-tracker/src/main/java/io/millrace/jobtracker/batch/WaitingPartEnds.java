package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.outcome.CompletionDecision;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Ends parts that wait, in the transaction of the caller: deletes their rows, whose count decides,
 * counts them in their batches, and records them. Thread-safe.
 */
final class WaitingPartEnds {
  private final Stores stores;
  private final CompletionRecorder recorder;
  private final IdSequence ids;

  WaitingPartEnds(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.recorder = new CompletionRecorder(stores, ids);
    this.ids = ids;
  }

  /** All rows are expected to exist; if one does not, the work runs again, row by row. */
  interface Work<T> {
    T run(boolean rowByRow);
  }

  /** Runs the work, of which each run is a transaction. */
  static <T> T inTwoAttempts(Work<T> work) {
    try {
      return work.run(false);
    } catch (RaceLostException e) {
      return work.run(true);
    }
  }

  /**
   * Ends those of these parts that still wait.
   *
   * @param batches has locked the batches of all of them
   * @param how decides how they end, which is final
   * @param rowByRow whether rows may be missing
   * @throws RaceLostException if a row did not exist, unless rows may be missing
   */
  void end(
      String nodeGroup,
      List<WaitingTrigger> parts,
      PartEnding batches,
      Function<TriggerSpec, CompletionDecision> how,
      boolean rowByRow,
      long now) {
    Map<Long, String> large = largeParams(nodeGroup, parts, how);
    Set<Long> deleted = delete(nodeGroup, parts, rowByRow);
    List<TriggerCompletion> ends = new ArrayList<>();
    for (WaitingTrigger part : parts) {
      if (deleted.contains(part.id())) {
        ids.observe(part.id());
        TriggerSpec spec = specOf(part);
        CompletionDecision end = how.apply(spec);
        StoredParams params = part.params().orRead(large.get(part.id()));
        ends.add(
            TriggerCompletion.ofWaiting(
                ids.next(now),
                nodeGroup,
                part.withParams(params),
                spec,
                end.status(),
                end.cause(),
                now));
      }
    }
    boolean unused = recorder.record(batches.count(ends), now);
  }

  private static TriggerSpec specOf(WaitingTrigger part) {
    return Objects.requireNonNull(part.spec(), "a part has a spec");
  }

  /** Only the dead keep their parameters. */
  private Map<Long, String> largeParams(
      String nodeGroup, List<WaitingTrigger> parts, Function<TriggerSpec, CompletionDecision> how) {
    List<Long> large =
        parts.stream()
            .filter(part -> part.params().isLeftInStore())
            .filter(part -> how.apply(specOf(part)).status() == LedgerStatus.DEAD)
            .map(WaitingTrigger::id)
            .toList();
    return large.isEmpty() ? Map.of() : stores.waiting().readParams(nodeGroup, large);
  }

  private Set<Long> delete(String nodeGroup, List<WaitingTrigger> parts, boolean rowByRow) {
    List<Long> rowIds = parts.stream().map(WaitingTrigger::id).toList();
    if (rowByRow) {
      return stores.waiting().deleteEach(nodeGroup, rowIds);
    }
    if (!rowIds.isEmpty() && stores.waiting().delete(nodeGroup, rowIds) != rowIds.size()) {
      throw new RaceLostException("a waiting part of " + nodeGroup + " no longer exists");
    }
    return Set.copyOf(rowIds);
  }
}
