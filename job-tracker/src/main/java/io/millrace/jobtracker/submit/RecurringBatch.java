package io.millrace.jobtracker.submit;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import io.millrace.jobtracker.submit.job.TriggerPlans;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Stores many new recurring jobs by a few statements, in the transaction of the caller. As in
 * {@link RecurringSubmit}, placeholder rows reserve the task ids. Thread-safe.
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

  /**
   * Stores those of the jobs that are new, and returns them: their task ids and submission ids are
   * unknown, they have a fire time, and they edit nothing.
   *
   * @param jobs of distinct task ids
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if a task id is waiting
   * @throws RaceLostException if a task id was used meanwhile
   */
  List<PendingSubmit> storeNew(
      String group, List<PendingSubmit> jobs, Submitted submitted, long now) {
    List<PendingSubmit> fresh = storable(group, jobs, now);
    if (!fresh.isEmpty()) {
      store(group, fresh, submitted, now);
    }
    return fresh;
  }

  private List<PendingSubmit> storable(String group, List<PendingSubmit> jobs, long now) {
    Set<String> known = new HashSet<>(known(group, jobs));
    stores.waiting().findOneShots(group, jobs.stream().map(PendingSubmit::taskId).toList()).stream()
        .map(row -> row.key().taskId())
        .forEach(known::add);
    return jobs.stream()
        .filter(job -> job.edit() == null && !known.contains(job.taskId()))
        .filter(job -> plans.hasFireTime(definition(job, group, 0, now), job.submittedAt(), now))
        .toList();
  }

  private void store(String group, List<PendingSubmit> jobs, Submitted submitted, long now) {
    List<WaitingTrigger> places =
        jobs.stream()
            .map(job -> RecurringSubmit.placeholder(job, ids.next(now), now))
            .sorted(OneShotSubmit.BY_TASK)
            .toList();
    stores.waiting().insert(group, places);
    if (!known(group, jobs).isEmpty()) {
      throw new RaceLostException("a submitted task id of " + group + " was used in the meantime");
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
      submitted.versions().add(fresh, job.author(), now);
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

  /** Returns the task ids of the jobs that are known outside the waiting tables. */
  private Set<String> known(String group, List<PendingSubmit> jobs) {
    return stores.knownJobs().findKnown(group, jobs.stream().map(PendingSubmit::identity).toList());
  }

  private static JobDefinition definition(PendingSubmit job, String group, long id, long now) {
    return RecurringSubmit.definition(
        job, id, group, 1, now, RecurringSubmit.beforeItsSubmit(job, now));
  }
}
