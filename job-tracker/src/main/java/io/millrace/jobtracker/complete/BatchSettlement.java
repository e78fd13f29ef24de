package io.millrace.jobtracker.complete;

import io.millrace.jobtracker.batch.PartEnding;
import io.millrace.jobtracker.batch.StagedSplit;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.outcome.TriggerState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the ends of one transaction are to runs that are split: parts that end are counted, and
 * attempts that have stored parts split their runs. Not thread-safe: it belongs to the transaction.
 */
final class BatchSettlement {
  private final CompletionRules rules;
  private final PartEnding parts;
  private final StagedSplit staged;
  private final Map<Long, BatchProgress> opened = new HashMap<>();

  private BatchSettlement(CompletionRules rules, PartEnding parts, StagedSplit staged) {
    this.rules = rules;
    this.parts = parts;
    this.staged = staged;
  }

  /** Whether there is anything to settle: a part among the ends, or a run that splits. */
  static boolean isNeeded(Collection<PendingCompletion> decided) {
    return decided.stream().anyMatch(one -> one.splits() || one.execution().core().isPart());
  }

  /** Locks the batches of the parts, and what the attempts have stored; after the jobs. */
  static BatchSettlement lock(
      Stores stores, CompletionRules rules, Collection<PendingCompletion> decided) {
    List<Execution> executions = decided.stream().map(PendingCompletion::execution).toList();
    List<Long> splitting =
        decided.stream()
            .filter(PendingCompletion::splits)
            .map(one -> one.execution().id())
            .toList();
    PartEnding parts = PartEnding.lock(stores, executions, splitting);
    return new BatchSettlement(rules, parts, new StagedSplit(stores, parts));
  }

  /**
   * The decisions as the batches allow them. A run is split only into all parts that its attempt
   * says it has stored; otherwise the attempt has failed. Parts return to waiting or are split only
   * if their batch is open.
   */
  List<PendingCompletion> settled(Collection<PendingCompletion> decided, long now) {
    return decided.stream().map(one -> settled(one, now)).toList();
  }

  private PendingCompletion settled(PendingCompletion decided, long now) {
    Execution execution = decided.execution();
    Integer reported = decided.end().staged();
    String fault =
        reported == null || !decided.splits() ? null : staged.faultOf(execution, reported);
    PendingCompletion ending = fault == null ? decided : decided.failed(fault, rules, now);
    if (!ending.isOver()) {
      return parts.mayContinue(execution) ? ending : ending.with(CompletionRules.withoutItsBatch());
    }
    return parts.takes(execution, ending.result())
        ? ending
        : ending.with(rules.withoutRoomForItsResult());
  }

  /** Splits runs into the parts that their attempts have stored. */
  void split(List<PendingCompletion> settled, long now) {
    for (PendingCompletion one : settled) {
      Integer count = one.end().staged();
      if (one.splits() && count != null) {
        TriggerState.EXECUTING.to(TriggerState.BATCH, one.execution().id());
        staged.open(one.execution(), count, now);
        opened.put(
            one.execution().id(),
            BatchProgress.of(
                PartCounts.of(count), BatchState.OPEN, one.execution().spec().onPartFailure()));
      }
    }
  }

  /** As {@link PartEnding#count}. */
  List<TriggerCompletion> count(List<TriggerCompletion> ends) {
    return parts.count(ends);
  }

  /** The progress of the batches of which parts ended, or that were opened, by id. */
  Map<Long, BatchProgress> progress() {
    Map<Long, BatchProgress> all = new HashMap<>(parts.counted());
    all.putAll(opened);
    return all;
  }
}
