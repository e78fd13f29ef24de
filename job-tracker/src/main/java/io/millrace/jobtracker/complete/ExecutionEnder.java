package io.millrace.jobtracker.complete;

import io.millrace.common.protocol.CompletionStatus;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.EndRecorder;
import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.trigger.AttemptEnd;
import io.millrace.jobtracker.domain.trigger.EndRules;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.LedgerRow;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Turns;
import io.millrace.jobtracker.domain.trigger.Verdict;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
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
  private final HeldTriggers held;
  private final IdSequence ids;
  private final Clock clock;
  private final int tracker;

  ExecutionEnder(
      Stores stores,
      EndRecorder recorder,
      EndRules rules,
      ChainedTriggers chained,
      HeldTriggers held,
      IdSequence ids,
      Clock clock,
      int tracker) {
    this.stores = stores;
    this.recorder = recorder;
    this.rules = rules;
    this.chained = chained;
    this.held = held;
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
   * @param endings of the executions that ended now
   */
  record Ended(
      List<CompletionStatus> answers,
      List<Long> ended,
      List<WaitingTrigger> stored,
      boolean hasFeedback,
      List<Ending> endings) {}

  Ended end(String group, List<AttemptEnd> ends) {
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

  private Ended endOnce(String group, List<AttemptEnd> ends) {
    long now = clock.millis();
    Map<Long, Execution> recalled = recalled(group, ends);
    Map<Long, Execution> executing = new HashMap<>(recalled);
    executing.putAll(readOthers(ends, recalled.keySet()));
    Map<Long, Ending> endings = new LinkedHashMap<>();
    for (AttemptEnd end : ends) {
      Execution execution = executing.get(end.executionId());
      if (execution != null
          && !endings.containsKey(execution.id())
          && mayEnd(group, end, execution)) {
        Verdict verdict = rules.decide(execution, end, now);
        endings.put(execution.id(), new Ending(execution, end, verdict));
      }
    }
    List<CompletionStatus> answers = answers(ends, endings, executing.keySet());
    return endings.isEmpty()
        ? new Ended(answers, List.of(), List.of(), false, List.of())
        : write(group, endings.values(), recalled.keySet(), answers, now);
  }

  /**
   * What this tracker claimed need not be read if its worker reports on it: the row has to be as it
   * was to be deleted. Everything else is judged by what the store says.
   */
  private Map<Long, Execution> recalled(String group, List<AttemptEnd> ends) {
    Map<Long, Execution> recalled =
        byId(
            stores
                .executing()
                .recall(ends.stream().map(AttemptEnd::executionId).distinct().toList()),
            Execution::id);
    for (AttemptEnd end : ends) {
      Execution execution = recalled.get(end.executionId());
      if (execution != null && !isReportOf(group, end, execution)) {
        recalled.remove(execution.id());
      }
    }
    return recalled;
  }

  private static boolean isReportOf(String group, AttemptEnd end, Execution execution) {
    return execution.nodeGroup().equals(group)
        && end instanceof AttemptEnd.Reported reported
        && reported.workerId().equals(execution.workerId());
  }

  private Map<Long, Execution> readOthers(List<AttemptEnd> ends, Set<Long> recalled) {
    List<Long> others =
        ends.stream()
            .map(AttemptEnd::executionId)
            .filter(id -> !recalled.contains(id))
            .distinct()
            .toList();
    return others.isEmpty() ? Map.of() : byId(stores.executing().find(others), Execution::id);
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
    if (end instanceof AttemptEnd.LeaseExpired expired) {
      return expired.epoch();
    }
    return end instanceof AttemptEnd.TimedOut timedOut
        ? timedOut.epoch()
        : ((AttemptEnd.NeverReceived) end).epoch();
  }

  /** The rows of the jobs come first: whoever edits them, or counts their triggers, waits. */
  private Ended write(
      String group,
      Collection<Ending> decided,
      Set<Long> recalled,
      List<CompletionStatus> answers,
      long now) {
    Map<Long, LockedJob> jobs = lockJobs(decided);
    List<Ending> endings = withParamsToKeep(settledWithTheirJobs(decided, jobs));
    List<WaitingTrigger> stored = comingBack(endings, now);
    for (Ending ending : endings) {
      if (ending.isOver()) {
        chained.next(ending.execution(), now).ifPresent(stored::add);
      }
    }
    stored.addAll(calledUp(group, endings, jobs, now));
    List<Long> endedIds = idsOf(endings, ending -> true);
    deleteAll(group, endings, recalled);
    if (!stored.isEmpty()) {
      stores.waiting().insert(group, stored);
    }
    boolean hasFeedback =
        recorder.record(endings.stream().map(ending -> ending.recorded(now)).toList(), now);
    return new Ended(answers, endedIds, stored, hasFeedback, endings);
  }

  /**
   * Chained ones too: whether the next trigger is written must be decided on a state that stays, or
   * a resume meanwhile might leave it to this end, and this end to the resume.
   */
  private Map<Long, LockedJob> lockJobs(Collection<Ending> endings) {
    Set<Long> jobIds =
        endings.stream()
            .filter(
                ending ->
                    ending.needsItsJob()
                        || ending.execution().counted()
                        || ending.execution().spec().chained())
            .map(ending -> ending.execution().jobId())
            .collect(Collectors.toSet());
    return jobIds.isEmpty() ? Map.of() : stores.jobs().lock(jobIds);
  }

  /** Hands on the turn of every job of which a trigger that counts has ended. */
  private List<WaitingTrigger> calledUp(
      String group, List<Ending> endings, Map<Long, LockedJob> jobs, long now) {
    Map<Long, List<Execution>> over =
        endings.stream()
            .filter(Ending::isOver)
            .map(Ending::execution)
            .filter(Execution::counted)
            .collect(Collectors.groupingBy(Execution::jobId, TreeMap::new, Collectors.toList()));
    List<WaitingTrigger> next = new ArrayList<>();
    Map<Long, Turns> turns = new HashMap<>();
    over.forEach(
        (jobId, executions) -> {
          LockedJob job = jobs.get(jobId);
          if (job != null) {
            String taskId = executions.get(0).key().taskId();
            HeldTriggers.HandedOn done = held.decide(group, taskId, job, executions.size(), now);
            done.next().ifPresent(next::add);
            turns.put(jobId, done.turns());
          }
        });
    if (!turns.isEmpty()) {
      stores.jobs().setTurns(turns);
    }
    return next;
  }

  /**
   * What was not read must be as it was claimed. Of what was read, what goes back to waiting must
   * not have been cancelled since; and what did not count in its job's number of running triggers
   * must not count now, or the number would stay too high.
   */
  private void deleteAll(String group, List<Ending> endings, Set<Long> recalled) {
    List<Long> unread = idsOf(endings, ending -> recalled.contains(ending.execution().id()));
    List<Ending> read =
        endings.stream().filter(ending -> !recalled.contains(ending.execution().id())).toList();
    List<Long> counted = idsOf(read, ending -> ending.isOver() && ending.execution().counted());
    List<Long> other = idsOf(read, ending -> ending.isOver() && !ending.execution().counted());
    List<Long> back = idsOf(read, ending -> !ending.isOver());
    if (stores.executing().deleteUntouched(unread) != unread.size()
        || stores.executing().delete(counted) != counted.size()
        || stores.executing().deleteUncounted(other) != other.size()
        || stores.executing().deleteUnstopped(back) != back.size()) {
      throw new RaceLostException("an execution of " + group + " changed meanwhile");
    }
  }

  private static List<Long> idsOf(List<Ending> endings, Predicate<Ending> which) {
    return endings.stream().filter(which).map(ending -> ending.execution().id()).toList();
  }

  /**
   * A trigger of a recurring job goes back to waiting only under the version it was claimed in: the
   * write of the job's row decides, and holds off edits until this transaction is over.
   */
  private List<Ending> settledWithTheirJobs(Collection<Ending> endings, Map<Long, LockedJob> jobs) {
    List<Ending> settled = new ArrayList<>();
    for (Ending ending : endings) {
      Execution execution = ending.execution();
      LockedJob job = jobs.get(execution.jobId());
      boolean stays =
          !ending.needsItsJob()
              || (job != null && job.state().isLive() && job.version() == execution.jobVersion());
      JobState state = job == null ? JobState.CANCELLED : job.state();
      settled.add(stays ? ending : ending.with(rules.withoutItsJob(state)));
    }
    return settled;
  }

  /** What is dead is kept with its parameters, which go with the execution otherwise. */
  private List<Ending> withParamsToKeep(List<Ending> endings) {
    List<Long> lacking = idsOf(endings, Ending::lacksParamsToKeep);
    if (lacking.isEmpty()) {
      return endings;
    }
    Map<Long, String> params = stores.executing().readParams(lacking);
    return endings.stream()
        .map(
            ending ->
                ending.lacksParamsToKeep()
                    ? ending.withParams(params.get(ending.execution().id()))
                    : ending)
        .toList();
  }

  private List<WaitingTrigger> comingBack(List<Ending> endings, long now) {
    List<Ending> backs = endings.stream().filter(e -> e.verdict().goesBack()).toList();
    List<Long> large =
        backs.stream()
            .map(Ending::execution)
            .filter(execution -> execution.params().isLeftInStore())
            .map(Execution::id)
            .toList();
    Map<Long, String> params = large.isEmpty() ? Map.of() : stores.executing().readParams(large);
    List<WaitingTrigger> rows = new ArrayList<>();
    for (Ending ending : backs) {
      Execution execution = ending.execution();
      ids.observe(execution.id());
      StoredParams full = execution.params().orRead(params.get(execution.id()));
      rows.add(
          execution.backToWaiting(
              ids.next(now), ending.verdict().nextDueAt(), ending.verdict().nextAttempt(), full));
    }
    return rows;
  }

  private List<CompletionStatus> answers(
      List<AttemptEnd> ends, Map<Long, Ending> endings, Set<Long> executing) {
    List<Long> gone =
        ends.stream().map(AttemptEnd::executionId).filter(id -> !executing.contains(id)).toList();
    Map<Long, LedgerRow> ledger =
        gone.isEmpty() ? Map.of() : byId(stores.ledger().find(gone), LedgerRow::id);
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
      AttemptEnd end, @Nullable Ending counting, @Nullable LedgerRow before) {
    if (!(end instanceof AttemptEnd.Reported reported)) {
      return counting != null && counting.end() == end;
    }
    if (counting != null) {
      return counting.end() instanceof AttemptEnd.Reported first
          && first.workerId().equals(reported.workerId());
    }
    return before != null && before.reported() && reported.workerId().equals(before.workerId());
  }

  private static <T> Map<Long, T> byId(Collection<T> rows, Function<T, Long> id) {
    return rows.stream().collect(Collectors.toMap(id, Function.identity()));
  }
}
