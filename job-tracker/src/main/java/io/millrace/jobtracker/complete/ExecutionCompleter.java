package io.millrace.jobtracker.complete;

import io.millrace.common.protocol.CompletionStatus;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.outcome.CompletionDecision;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ends one batch of executions of one node group: judges which ends count, has them written, and
 * answers each. Stateless, so thread-safe; each call begins a transaction of its own.
 */
final class ExecutionCompleter {
  private final Stores stores;
  private final CompletionRules rules;
  private final CompletionWriter writer;
  private final Clock clock;
  private final int tracker;

  ExecutionCompleter(
      Stores stores, CompletionRules rules, CompletionWriter writer, Clock clock, int tracker) {
    this.stores = stores;
    this.rules = rules;
    this.writer = writer;
    this.clock = clock;
    this.tracker = tracker;
  }

  /**
   * What one batch did.
   *
   * @param answers one per end, in order
   * @param ended executions that ended now
   * @param stored triggers that wait now
   * @param hasFeedback whether a client is to be told
   * @param endings of the executions that ended now
   */
  record Ended(
      List<CompletionStatus> answers,
      List<Long> ended,
      List<WaitingTrigger> stored,
      boolean hasFeedback,
      List<PendingCompletion> endings) {}

  Ended end(String group, List<AttemptOutcome> ends) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .inTransaction(
                    "end executions of " + group, () -> endOnce(group, ends), this::isStored));
  }

  /** If nothing ended, nothing was written. */
  private boolean isStored(Ended ended) {
    if (ended.ended().isEmpty()) {
      return true;
    }
    long first = ended.ended().get(0);
    return !stores.executing().lock(first) && !stores.ledger().find(List.of(first)).isEmpty();
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
        ? new Ended(answers, List.of(), List.of(), false, List.of())
        : ended(answers, writer.write(group, endings.values(), recalled.keySet(), now));
  }

  private static Ended ended(List<CompletionStatus> answers, CompletionWriter.Written written) {
    List<Long> ids = written.endings().stream().map(ending -> ending.execution().id()).toList();
    return new Ended(answers, ids, written.stored(), written.hasFeedback(), written.endings());
  }

  /**
   * What this tracker claimed need not be read if its worker reports on it: the row has to be as it
   * was to be deleted. Everything else is judged by what the store says.
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

  /** The server trusts its own row: another worker's word on it does not count. */
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
    Map<Long, LedgerEntry> ledger =
        gone.isEmpty() ? Map.of() : byId(stores.ledger().find(gone), LedgerEntry::id);
    return ends.stream()
        .map(
            end ->
                isAccepted(end, endings.get(end.executionId()), ledger.get(end.executionId()))
                    ? CompletionStatus.ACCEPTED
                    : CompletionStatus.REFUSED)
        .toList();
  }

  /** Accepted if it counts now, or if it is the report of the same worker that counted before. */
  private static boolean isAccepted(
      AttemptOutcome end, @Nullable PendingCompletion counting, @Nullable LedgerEntry before) {
    if (!(end instanceof AttemptOutcome.Reported reported)) {
      return counting != null && counting.end() == end;
    }
    if (counting != null) {
      return counting.end() instanceof AttemptOutcome.Reported first
          && first.workerId().equals(reported.workerId());
    }
    return before != null && before.reported() && reported.workerId().equals(before.workerId());
  }

  private static <T> Map<Long, T> byId(Collection<T> rows, Function<T, Long> id) {
    return rows.stream().collect(Collectors.toMap(id, Function.identity()));
  }
}
