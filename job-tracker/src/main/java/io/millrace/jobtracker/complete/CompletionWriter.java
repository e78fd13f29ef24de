package io.millrace.jobtracker.complete;

import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.kept.KeptStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of ends: the ledger, retries, the next triggers of chained jobs, and the
 * release of held triggers. Stateless, so thread-safe; runs in the caller's transaction.
 */
final class CompletionWriter {
  private final Stores stores;
  private final CompletionRecorder recorder;
  private final CompletionRules rules;
  private final ChainedTriggers chained;
  private final HeldTriggers held;
  private final IdSequence ids;

  CompletionWriter(
      Stores stores,
      CompletionRecorder recorder,
      CompletionRules rules,
      ChainedTriggers chained,
      HeldTriggers held,
      IdSequence ids) {
    this.stores = stores;
    this.recorder = recorder;
    this.rules = rules;
    this.chained = chained;
    this.held = held;
    this.ids = ids;
  }

  /**
   * The rows written.
   *
   * @param endings the ends of the executions that ended now, with their final decisions
   * @param stored triggers added to the waiting table
   * @param hasFeedback whether there is feedback to push
   * @param batches the progress of the batches of which parts ended, or that were opened, by id
   */
  record Written(
      List<PendingCompletion> endings,
      List<WaitingTrigger> stored,
      boolean hasFeedback,
      Map<Long, BatchProgress> batches) {}

  /**
   * Writes the ends in the transaction under way. It locks the rows of the jobs first, so that
   * edits of these jobs and counts of their triggers wait.
   *
   * @param recalled ids of the executions that were not read, whose rows must be unchanged since
   *     the claim
   */
  Written write(String group, Collection<PendingCompletion> decided, Set<Long> recalled, long now) {
    Map<Long, LockedJob> jobs = lockJobs(decided);
    @Nullable BatchSettlement batches =
        BatchSettlement.isNeeded(decided) ? BatchSettlement.lock(stores, rules, decided) : null;
    List<PendingCompletion> settled =
        withParamsToKeep(
            settledWithTheirJobs(batches == null ? decided : batches.settled(decided, now), jobs));
    if (batches != null) {
      batches.split(settled, now);
    }
    List<PendingCompletion> endings = settled.stream().filter(one -> !one.splits()).toList();
    List<WaitingTrigger> stored = comingBack(endings, now);
    for (PendingCompletion ending : endings) {
      if (ending.isOver()) {
        chained.next(ending.execution(), now).ifPresent(stored::add);
      }
    }
    stored.addAll(released(group, endings, jobs, now));
    deleteAll(group, settled, recalled);
    dropKept(endings);
    if (!stored.isEmpty()) {
      stores.waiting().insert(group, stored);
    }
    List<TriggerCompletion> ends = endings.stream().map(ending -> ending.recorded(now)).toList();
    return batches == null
        ? new Written(settled, stored, recorder.record(ends, now), Map.of())
        : new Written(
            settled, stored, recorder.record(batches.count(ends), now), batches.progress());
  }

  /**
   * Locks the rows of the jobs, those of chained jobs too: whether the next trigger is written must
   * be decided on a stable state. Otherwise a concurrent resume might leave the trigger to this
   * end, and this end might leave it to the resume.
   */
  private Map<Long, LockedJob> lockJobs(Collection<PendingCompletion> endings) {
    Set<Long> jobIds =
        endings.stream()
            .filter(
                ending ->
                    ending.needsItsJob()
                        || (ending.splits() && ending.execution().isOfRecurringJob())
                        || ending.execution().counted()
                        || ending.execution().spec().chained())
            .map(ending -> ending.execution().jobId())
            .collect(Collectors.toSet());
    return jobIds.isEmpty() ? Map.of() : stores.jobs().lock(jobIds);
  }

  /** Releases the next held trigger of every job of which a counted trigger has ended. */
  private List<WaitingTrigger> released(
      String group, List<PendingCompletion> endings, Map<Long, LockedJob> jobs, long now) {
    Map<Long, List<Execution>> over =
        endings.stream()
            .filter(PendingCompletion::isOver)
            .map(PendingCompletion::execution)
            .filter(Execution::counted)
            .collect(Collectors.groupingBy(Execution::jobId, TreeMap::new, Collectors.toList()));
    List<WaitingTrigger> next = new ArrayList<>();
    Map<Long, RunCounts> turns = new HashMap<>();
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
   * Deletes the executions. An execution that was not read must be unchanged since its claim. Of
   * those that were read, one that returns to waiting or is split must not have been cancelled
   * since, and one that was not counted in its job's number of running triggers must not be counted
   * now; otherwise the number would remain too high.
   */
  private void deleteAll(String group, List<PendingCompletion> endings, Set<Long> recalled) {
    Predicate<PendingCompletion> mustBeUntouched =
        ending ->
            recalled.contains(ending.execution().id())
                || (ending.splits() && !ending.execution().counted());
    List<Long> untouched = idsOf(endings, mustBeUntouched);
    List<PendingCompletion> read = endings.stream().filter(mustBeUntouched.negate()).toList();
    List<Long> counted = idsOf(read, ending -> ending.isOver() && ending.execution().counted());
    List<Long> other = idsOf(read, ending -> ending.isOver() && !ending.execution().counted());
    List<Long> back = idsOf(read, ending -> !ending.isOver());
    if (stores.executing().deleteUntouched(untouched) != untouched.size()
        || stores.executing().delete(counted) != counted.size()
        || stores.executing().deleteUncounted(other) != other.size()
        || stores.executing().deleteUnstopped(back) != back.size()) {
      throw new RaceLostException("an execution of " + group + " changed in the meantime");
    }
  }

  /**
   * Deletes what runs kept that are over, after their executions: see {@link KeptStore}. Costs
   * nothing if no report says that there is any.
   */
  private void dropKept(List<PendingCompletion> endings) {
    List<KeptStore.Run> over =
        endings.stream()
            .filter(PendingCompletion::dropsKept)
            .map(ending -> KeptStore.Run.of(ending.execution()))
            .toList();
    if (!over.isEmpty()) {
      int unused = stores.kept().delete(over);
    }
  }

  private static List<Long> idsOf(
      List<PendingCompletion> endings, Predicate<PendingCompletion> which) {
    return endings.stream().filter(which).map(ending -> ending.execution().id()).toList();
  }

  /**
   * Decides which triggers of recurring jobs return to waiting: only those whose job still has the
   * version in which they were claimed. The locked row of the job decides, and the lock blocks
   * edits until the end of this transaction.
   */
  private List<PendingCompletion> settledWithTheirJobs(
      Collection<PendingCompletion> endings, Map<Long, LockedJob> jobs) {
    List<PendingCompletion> settled = new ArrayList<>();
    for (PendingCompletion ending : endings) {
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

  /**
   * Reads the parameters of dead triggers, which are kept; otherwise they are deleted with the
   * execution.
   */
  private List<PendingCompletion> withParamsToKeep(List<PendingCompletion> endings) {
    List<Long> lacking = idsOf(endings, PendingCompletion::lacksParamsToKeep);
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

  private List<WaitingTrigger> comingBack(List<PendingCompletion> endings, long now) {
    List<PendingCompletion> backs = endings.stream().filter(e -> e.verdict().goesBack()).toList();
    List<Long> large =
        backs.stream()
            .map(PendingCompletion::execution)
            .filter(execution -> execution.params().isLeftInStore())
            .map(Execution::id)
            .toList();
    Map<Long, String> params = large.isEmpty() ? Map.of() : stores.executing().readParams(large);
    List<WaitingTrigger> rows = new ArrayList<>();
    for (PendingCompletion ending : backs) {
      Execution execution = ending.execution();
      ids.observe(execution.id());
      StoredParams full = execution.params().orRead(params.get(execution.id()));
      rows.add(
          execution.backToWaiting(
              ids.next(now), ending.verdict().nextDueAt(), ending.verdict().nextAttempt(), full));
    }
    return rows;
  }
}
