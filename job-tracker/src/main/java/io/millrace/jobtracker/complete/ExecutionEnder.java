package io.millrace.jobtracker.complete;

import io.millrace.common.protocol.CompletionStatus;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.domain.trigger.AttemptEnd;
import io.millrace.jobtracker.domain.trigger.EndRules;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.LedgerRow;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerEnd;
import io.millrace.jobtracker.domain.trigger.TriggerState;
import io.millrace.jobtracker.domain.trigger.Verdict;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.EndRecorder;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes one batch of ends of one node group. Stateless, so thread-safe; each call begins a
 * transaction of its own.
 */
final class ExecutionEnder {
  private final Stores stores;
  private final EndRecorder recorder;
  private final EndRules rules;
  private final ChainedTriggers chained;
  private final IdSequence ids;
  private final Clock clock;
  private final int tracker;

  ExecutionEnder(
      Stores stores,
      EndRecorder recorder,
      EndRules rules,
      ChainedTriggers chained,
      IdSequence ids,
      Clock clock,
      int tracker) {
    this.stores = stores;
    this.recorder = recorder;
    this.rules = rules;
    this.chained = chained;
    this.ids = ids;
    this.clock = clock;
    this.tracker = tracker;
  }

  /**
   * What one batch did.
   *
   * @param answers one per end, in order
   * @param ended executions that ended now
   * @param stored triggers that wait now
   * @param hasFeedback whether anybody is to be told
   */
  record Ended(
      List<CompletionStatus> answers,
      List<Long> ended,
      List<WaitingTrigger> stored,
      boolean hasFeedback) {}

  Ended end(String group, List<AttemptEnd> ends) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .inTransaction("end executions of " + group, () -> endOnce(group, ends)));
  }

  private Ended endOnce(String group, List<AttemptEnd> ends) {
    long now = clock.millis();
    List<Long> asked = ends.stream().map(AttemptEnd::executionId).distinct().toList();
    Map<Long, Execution> executing = byId(stores.executing().find(asked), Execution::id);
    Map<Long, AttemptEnd> counting = new LinkedHashMap<>();
    for (AttemptEnd end : ends) {
      Execution execution = executing.get(end.executionId());
      if (execution != null && mayEnd(group, end, execution)) {
        counting.putIfAbsent(end.executionId(), end);
      }
    }
    Ended ended =
        counting.isEmpty()
            ? new Ended(List.of(), List.of(), List.of(), false)
            : write(group, counting, executing, now);
    return new Ended(
        answers(ends, counting, executing), ended.ended(), ended.stored(), ended.hasFeedback());
  }

  /** The server trusts its own row: another worker's word on it does not count. */
  private boolean mayEnd(String group, AttemptEnd end, Execution execution) {
    if (!execution.nodeGroup().equals(group)) {
      return false;
    }
    if (end instanceof AttemptEnd.Reported reported) {
      return reported.workerId().equals(execution.workerId());
    }
    return stores.nodeGroups().lockOwnership(group, tracker, epochOf(end));
  }

  private static long epochOf(AttemptEnd end) {
    return end instanceof AttemptEnd.LeaseExpired expired
        ? expired.epoch()
        : ((AttemptEnd.NeverReceived) end).epoch();
  }

  private Ended write(
      String group, Map<Long, AttemptEnd> ends, Map<Long, Execution> executing, long now) {
    Map<Long, Verdict> verdicts = new LinkedHashMap<>();
    ends.forEach((id, end) -> verdicts.put(id, rules.decide(executing.get(id), end, now)));
    settleThoseWhoseJobMovedOn(verdicts, executing);
    List<Execution> ended = ends.keySet().stream().map(executing::get).toList();
    List<WaitingTrigger> stored = new ArrayList<>();
    for (Execution execution : ended) {
      if (verdicts.get(execution.id()).status().isFinal()) {
        chained.next(execution, now).ifPresent(stored::add);
      }
    }
    stored.addAll(comingBack(ended, verdicts, now));
    if (stores.executing().delete(ends.keySet()) != ends.size()) {
      throw new RaceLostException("an execution of " + group + " ended meanwhile");
    }
    if (!stored.isEmpty()) {
      stores.waiting().insert(group, stored);
    }
    List<TriggerEnd> rows = new ArrayList<>();
    for (Execution execution : ended) {
      Verdict verdict = verdicts.get(execution.id());
      TriggerState.EXECUTING.to(TriggerState.after(verdict.status()), execution.id());
      rows.add(TriggerEnd.of(execution, ends.get(execution.id()), verdict, now));
    }
    boolean hasFeedback = recorder.record(rows, now);
    return new Ended(List.of(), List.copyOf(ends.keySet()), stored, hasFeedback);
  }

  /**
   * A trigger of a recurring job goes back to waiting only under the version it was claimed in: the
   * write of the job's row decides, and holds off edits until this transaction is over.
   */
  private void settleThoseWhoseJobMovedOn(
      Map<Long, Verdict> verdicts, Map<Long, Execution> executing) {
    Map<Long, Integer> versions = new TreeMap<>();
    List<Execution> backs = new ArrayList<>();
    verdicts.forEach(
        (id, verdict) -> {
          Execution execution = executing.get(id);
          if (verdict.goesBack() && execution.isOfRecurringJob()) {
            backs.add(execution);
            versions.merge(execution.jobId(), execution.jobVersion(), Math::max);
          }
        });
    if (backs.isEmpty()) {
      return;
    }
    Set<Long> active = stores.jobs().lockActive(versions);
    for (Execution execution : backs) {
      boolean current = execution.jobVersion() == versions.get(execution.jobId());
      if (!current || !active.contains(execution.jobId())) {
        verdicts.put(execution.id(), rules.withoutItsJob(stateOf(execution.jobId())));
      }
    }
  }

  private JobState stateOf(long jobId) {
    return stores.jobs().find(jobId).map(job -> job.state()).orElse(JobState.CANCELLED);
  }

  private List<WaitingTrigger> comingBack(
      List<Execution> ended, Map<Long, Verdict> verdicts, long now) {
    List<Execution> backs =
        ended.stream().filter(execution -> verdicts.get(execution.id()).goesBack()).toList();
    List<Long> large =
        backs.stream().filter(e -> e.params().isLeftInStore()).map(Execution::id).toList();
    Map<Long, String> params = large.isEmpty() ? Map.of() : stores.executing().readParams(large);
    List<WaitingTrigger> rows = new ArrayList<>();
    for (Execution execution : backs) {
      ids.observe(execution.id());
      Verdict verdict = verdicts.get(execution.id());
      StoredParams full =
          execution.params().isLeftInStore()
              ? new StoredParams(execution.params().bytes(), params.get(execution.id()))
              : execution.params();
      rows.add(
          execution.backToWaiting(ids.next(now), verdict.nextDueAt(), verdict.nextAttempt(), full));
    }
    return rows;
  }

  private List<CompletionStatus> answers(
      List<AttemptEnd> ends, Map<Long, AttemptEnd> counting, Map<Long, Execution> executing) {
    List<Long> gone =
        ends.stream()
            .map(AttemptEnd::executionId)
            .filter(id -> !executing.containsKey(id))
            .toList();
    Map<Long, LedgerRow> ledger =
        gone.isEmpty() ? Map.of() : byId(stores.ledger().find(gone), LedgerRow::id);
    return ends.stream()
        .map(
            end ->
                isAccepted(end, counting.get(end.executionId()), ledger.get(end.executionId()))
                    ? CompletionStatus.ACCEPTED
                    : CompletionStatus.REFUSED)
        .toList();
  }

  /** Accepted if it counts now, or if it is the report of the same worker that counted before. */
  private static boolean isAccepted(
      AttemptEnd end, @Nullable AttemptEnd counting, @Nullable LedgerRow before) {
    if (counting != null) {
      return end.getClass() == counting.getClass()
          && (!(end instanceof AttemptEnd.Reported reported)
              || (counting instanceof AttemptEnd.Reported first
                  && reported.workerId().equals(first.workerId())));
    }
    return before != null
        && before.reported()
        && end instanceof AttemptEnd.Reported reported
        && reported.workerId().equals(before.workerId());
  }

  private static <T> Map<Long, T> byId(Collection<T> rows, Function<T, Long> id) {
    return rows.stream().collect(Collectors.toMap(id, Function.identity()));
  }
}
