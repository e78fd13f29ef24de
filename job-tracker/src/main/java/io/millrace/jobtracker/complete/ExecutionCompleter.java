package io.millrace.jobtracker.complete;

import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.outcome.CompletionDecision;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ends one batch of executions of one node group: decides which ends are accepted, writes them,
 * notifies the parts concerned, and answers each. Stateless, so thread-safe; each call begins its
 * own transaction.
 */
final class ExecutionCompleter {
  private final EngineContext engine;
  private final Stores stores;
  private final CompletionRules rules;
  private final CompletionWriter writer;
  private final StoreQuotas quotas;
  private final Clock clock;
  private final int tracker;

  /**
   * @param quotas receives the bytes of results that are stored
   * @param tracker this tracker's number
   */
  ExecutionCompleter(
      EngineContext engine,
      CompletionRules rules,
      CompletionWriter writer,
      StoreQuotas quotas,
      int tracker) {
    this.engine = engine;
    this.stores = engine.stores();
    this.rules = rules;
    this.writer = writer;
    this.quotas = quotas;
    this.clock = engine.time().clock();
    this.tracker = tracker;
  }

  /**
   * The result of one batch.
   *
   * @param answers one answer per end, in order
   * @param ended ids of the executions that this batch ended
   * @param stored triggers that this batch added to the waiting table
   * @param hasFeedback whether there is feedback to push
   * @param batches the progress of the batches of which parts ended, or that were opened, by id
   * @param endings the ends of the executions that this batch ended
   */
  private record Ended(
      List<CompletionStatus> answers,
      List<Long> ended,
      List<WaitingTrigger> stored,
      boolean hasFeedback,
      Map<Long, BatchProgress> batches,
      List<PendingCompletion> endings) {}

  /** Ends the executions and answers each end, in order. */
  List<CompletionStatus> end(String group, List<AttemptOutcome> ends) {
    long begun = clock.nanoTime();
    Ended ended = commit(group, ends);
    measure(group, ends.size(), ended, clock.nanoTime() - begun);
    Signals signals = engine.signals();
    signals.executionsEnded(group, ended.ended());
    signals.triggersStored(group, ended.stored());
    if (ended.hasFeedback()) {
      signals.feedbackStored();
    }
    if (!ended.batches().isEmpty()) {
      signals.batchesChanged(group, ended.batches());
    }
    return ended.answers();
  }

  private void measure(String group, int ends, Ended ended, long nanos) {
    EngineListener listener = engine.listener();
    listener.committed(EngineListener.Commit.COMPLETE, ends, nanos);
    for (PendingCompletion ending : ended.endings()) {
      long result = ending.resultBytes();
      if (result > 0) {
        quotas.resultStored(result);
      }
      ending
          .runNanos()
          .ifPresent(ran -> listener.ran(group, ending.execution().spec().handler(), ran));
    }
  }

  private Ended commit(String group, List<AttemptOutcome> ends) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .inTransaction(
                    "end executions of " + group, () -> endOnce(group, ends), this::isStored));
  }

  /**
   * Whether the batch was committed, judged by its first ended execution. If no execution ended,
   * nothing was written.
   */
  private boolean isStored(Ended ended) {
    if (ended.ended().isEmpty()) {
      return true;
    }
    long first = ended.ended().get(0);
    return !stores.executing().lock(first)
        && (stores.batches().find(List.of(first)).stream().anyMatch(it -> it.state().isUnderWay())
            || !stores.ledger().find(List.of(first)).isEmpty());
  }

  private Ended endOnce(String group, List<AttemptOutcome> ends) {
    long now = clock.millis();
    Map<Long, Execution> recalled = recalled(group, ends);
    Map<Long, Execution> executing = new HashMap<>(recalled);
    executing.putAll(readOthers(ends, recalled.keySet()));
    Map<Long, PendingCompletion> endings = new LinkedHashMap<>();
    for (AttemptOutcome end : ends) {
      Execution execution = executing.get(end.executionId());
      if (execution != null
          && !endings.containsKey(execution.id())
          && mayEnd(group, end, execution)) {
        CompletionDecision verdict = rules.decide(execution, end, now);
        endings.put(execution.id(), new PendingCompletion(execution, end, verdict));
      }
    }
    List<CompletionStatus> answers = answers(ends, endings, executing.keySet());
    return endings.isEmpty()
        ? new Ended(answers, List.of(), List.of(), false, Map.of(), List.of())
        : ended(answers, writer.write(group, endings.values(), recalled.keySet(), now));
  }

  private static Ended ended(List<CompletionStatus> answers, CompletionWriter.Written written) {
    List<Long> ids = written.endings().stream().map(ending -> ending.execution().id()).toList();
    return new Ended(
        answers,
        ids,
        written.stored(),
        written.hasFeedback(),
        written.batches(),
        written.endings());
  }

  /**
   * Executions that this tracker claimed and has in memory. They need not be read if their own
   * worker reports the end, because their rows are deleted only if unchanged. All other ends are
   * decided by the stored row; also one that splits its run, because that writes the batch before
   * the row shows that another tracker has split it.
   */
  private Map<Long, Execution> recalled(String group, List<AttemptOutcome> ends) {
    Map<Long, Execution> recalled =
        byId(
            stores
                .executing()
                .recall(ends.stream().map(AttemptOutcome::executionId).distinct().toList()),
            Execution::id);
    for (AttemptOutcome end : ends) {
      Execution execution = recalled.get(end.executionId());
      if (execution != null && !isReportOf(group, end, execution)) {
        recalled.remove(execution.id());
      }
    }
    return recalled;
  }

  private static boolean isReportOf(String group, AttemptOutcome end, Execution execution) {
    return execution.nodeGroup().equals(group)
        && end.staged() == null
        && end instanceof AttemptOutcome.Reported reported
        && reported.workerId().equals(execution.workerId());
  }

  private Map<Long, Execution> readOthers(List<AttemptOutcome> ends, Set<Long> recalled) {
    List<Long> others =
        ends.stream()
            .map(AttemptOutcome::executionId)
            .filter(id -> !recalled.contains(id))
            .distinct()
            .toList();
    return others.isEmpty() ? Map.of() : byId(stores.executing().find(others), Execution::id);
  }

  /**
   * Whether the end may be accepted. The stored row decides: a report of any other worker is
   * rejected.
   */
  private boolean mayEnd(String group, AttemptOutcome end, Execution execution) {
    if (!execution.nodeGroup().equals(group)) {
      return false;
    }
    if (end instanceof AttemptOutcome.Reported reported) {
      return reported.workerId().equals(execution.workerId());
    }
    return stores.nodeGroups().lockOwnership(group, tracker, epochOf(end));
  }

  private static long epochOf(AttemptOutcome end) {
    if (end instanceof AttemptOutcome.LeaseExpired expired) {
      return expired.epoch();
    }
    return end instanceof AttemptOutcome.TimedOut timedOut
        ? timedOut.epoch()
        : ((AttemptOutcome.NeverReceived) end).epoch();
  }

  private List<CompletionStatus> answers(
      List<AttemptOutcome> ends, Map<Long, PendingCompletion> endings, Set<Long> executing) {
    List<Long> gone =
        ends.stream()
            .map(AttemptOutcome::executionId)
            .filter(id -> !executing.contains(id))
            .toList();
    Set<Reporter> before = gone.isEmpty() ? Set.of() : reporters(gone);
    return ends.stream()
        .map(
            end ->
                isAccepted(end, endings.get(end.executionId()), before)
                    ? CompletionStatus.ACCEPTED
                    : CompletionStatus.REFUSED)
        .toList();
  }

  /** A worker whose report has ended an execution. */
  private record Reporter(long executionId, @Nullable String workerId) {}

  /**
   * Whose reports have ended these executions: the ledger says it, or a batch, as long as the run
   * that the execution split goes on. Such a run moves on to the ledger, so that is read last.
   */
  private Set<Reporter> reporters(List<Long> gone) {
    Set<Reporter> reporters = new HashSet<>();
    for (Batch batch : stores.batches().find(gone)) {
      if (batch.kind() == BatchKind.MAP && batch.state().isUnderWay()) {
        reporters.add(new Reporter(batch.id(), batch.run().workerId()));
      }
    }
    for (LedgerEntry row : stores.ledger().find(gone)) {
      if (row.reported()) {
        reporters.add(new Reporter(row.id(), row.workerId()));
      }
    }
    return reporters;
  }

  /**
   * Whether an end is accepted: it counts now, or it is a report of the worker whose report counted
   * before.
   */
  private static boolean isAccepted(
      AttemptOutcome end, @Nullable PendingCompletion counting, Set<Reporter> before) {
    if (!(end instanceof AttemptOutcome.Reported reported)) {
      return counting != null && counting.end() == end;
    }
    if (counting != null) {
      return counting.end() instanceof AttemptOutcome.Reported first
          && first.workerId().equals(reported.workerId());
    }
    return before.contains(new Reporter(end.executionId(), reported.workerId()));
  }

  private static <T> Map<Long, T> byId(Collection<T> rows, Function<T, Long> id) {
    return rows.stream().collect(Collectors.toMap(id, Function.identity()));
  }
}
