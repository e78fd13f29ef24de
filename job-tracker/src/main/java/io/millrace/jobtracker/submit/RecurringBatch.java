package io.millrace.jobtracker.submit;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import io.millrace.jobtracker.submit.job.TriggerPlans;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores many recurring jobs with unused task ids and new submission ids by a few statements, in
 * the transaction of the caller. As in {@link RecurringSubmit}, placeholder rows reserve the task
 * ids. Thread-safe.
 */
final class RecurringBatch {
  private final Stores stores;
  private final TriggerPlans plans;
  private final CompletionRecorder recorder;
  private final IdSequence ids;

  RecurringBatch(Stores stores, TriggerPlans plans, CompletionRecorder recorder, IdSequence ids) {
    this.stores = stores;
    this.plans = plans;
    this.recorder = recorder;
    this.ids = ids;
  }

  /** Returns those of the jobs that {@link #store} can probably store. */
  List<PendingSubmit> storable(String group, List<PendingSubmit> jobs, long now) {
    Set<String> used = usedTaskIds(group, taskIdsOf(jobs));
    stores.waiting().findOneShots(group, taskIdsOf(jobs)).stream()
        .map(row -> row.key().taskId())
        .forEach(used::add);
    return jobs.stream()
        .filter(job -> !used.contains(job.taskId()))
        .filter(job -> plans.hasFireTime(definition(job, group, 0, now), job.submittedAt(), now))
        .toList();
  }

  /**
   * Stores the jobs.
   *
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if a task id is waiting
   * @throws RaceLostException if a task id was used meanwhile
   */
  void store(String group, List<PendingSubmit> jobs, Submitted submitted, long now) {
    List<WaitingTrigger> places = jobs.stream().map(job -> placeholder(job, now)).toList();
    stores.waiting().insert(group, places);
    if (!usedTaskIds(group, taskIdsOf(jobs)).isEmpty()) {
      throw new RaceLostException("a declared task id of " + group + " was used in the meantime");
    }
    storePlanned(group, jobs, submitted, now);
    List<Long> held = places.stream().map(WaitingTrigger::id).toList();
    if (stores.waiting().delete(group, held) != held.size()) {
      throw new RaceLostException("a lock on a task id of " + group + " no longer exists");
    }
  }

  private void storePlanned(String group, List<PendingSubmit> jobs, Submitted submitted, long now) {
    List<JobDefinition> definitions = new ArrayList<>();
    List<WaitingTrigger> triggers = new ArrayList<>();
    List<TriggerCompletion> ends = new ArrayList<>();
    for (PendingSubmit job : jobs) {
      JobDefinition fresh = definition(job, group, ids.next(now), now);
      JobPlanner.Planned planned = plans.begin(fresh, now);
      definitions.add(planned.advanced());
      planned.instants().forEach(at -> triggers.add(plans.trigger(fresh, ids.next(now), at, now)));
      SkippedRange missed = planned.missed();
      if (missed != null) {
        ends.add(TriggerCompletion.ofMissed(ids.next(now), fresh, missed, now));
      }
    }
    stores.jobs().insertAll(definitions);
    if (!triggers.isEmpty()) {
      stores.waiting().insert(group, triggers);
    }
    triggers.forEach(submitted::stored);
    submitted.storedFeedback(recorder.record(ends, now));
  }

  private Set<String> usedTaskIds(String group, List<String> taskIds) {
    Set<String> used =
        stores.jobs().findByTasks(group, taskIds).stream()
            .map(JobDefinition::taskId)
            .collect(Collectors.toCollection(HashSet::new));
    stores.runs().findByTasks(group, taskIds).stream()
        .map(execution -> execution.key().taskId())
        .forEach(used::add);
    return used;
  }

  private WaitingTrigger placeholder(PendingSubmit job, long now) {
    return WaitingTrigger.oneShot(
        ids.next(now),
        job.taskId(),
        Long.MAX_VALUE,
        job.job().priority(),
        now,
        job.spec(),
        StoredParams.NONE);
  }

  private static JobDefinition definition(PendingSubmit job, String group, long id, long now) {
    return RecurringSubmit.definition(
        job, id, group, 1, now, RecurringSubmit.beforeItsSubmit(job, now));
  }

  private static List<String> taskIdsOf(List<PendingSubmit> jobs) {
    return jobs.stream().map(PendingSubmit::taskId).toList();
  }
}
