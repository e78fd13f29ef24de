package io.millrace.jobtracker.generate;

import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.TriggerEnd;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.EndRecorder;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.List;

/**
 * Tops up the triggers of one node group's recurring jobs, and marks the jobs FINISHED whose last
 * trigger has ended. Jobs that write their triggers one at a time never come by here. Thread-safe.
 */
public final class TriggerGenerator {
  private static final int JOBS_PER_TRANSACTION = 50;

  private final String group;
  private final Stores stores;
  private final JobPlanner planner;
  private final EndRecorder recorder;
  private final IdSequence ids;
  private final Signals signals;

  public TriggerGenerator(
      String group,
      Stores stores,
      JobPlanner planner,
      EndRecorder recorder,
      IdSequence ids,
      Signals signals) {
    this.group = group;
    this.stores = stores;
    this.planner = planner;
    this.recorder = recorder;
    this.ids = ids;
    this.signals = signals;
  }

  /**
   * What one run did.
   *
   * @param jobs jobs looked at
   * @param triggers triggers written
   * @param finished jobs that are over
   */
  public record Generated(int jobs, int triggers, int finished) {
    Generated plus(Generated more) {
      return new Generated(jobs + more.jobs, triggers + more.triggers, finished + more.finished);
    }

    /** Whether the run changed nothing. */
    public boolean isNothing() {
      return jobs == 0;
    }
  }

  /** Generates for every job whose time to generate has come. */
  public Generated runOnce(long now) {
    Generated total = new Generated(0, 0, 0);
    Generated batch;
    do {
      batch = runBatch(now);
      total = total.plus(batch);
    } while (batch.jobs() == JOBS_PER_TRANSACTION);
    return total;
  }

  private Generated runBatch(long now) {
    List<WaitingTrigger> stored = new ArrayList<>();
    List<TriggerEnd> missed = new ArrayList<>();
    Generated batch =
        stores
            .transactions()
            .inTransaction(
                "generate triggers of " + group,
                () -> {
                  stored.clear();
                  missed.clear();
                  return generate(now, stored, missed);
                });
    stored.stream()
        .mapToLong(WaitingTrigger::dueAt)
        .min()
        .ifPresent(due -> signals.triggersStored(group, due));
    if (missed.stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
    return batch;
  }

  private Generated generate(long now, List<WaitingTrigger> stored, List<TriggerEnd> missed) {
    int finished = 0;
    List<JobDefinition> jobs = stores.jobs().findToGenerate(group, now, JOBS_PER_TRANSACTION);
    for (JobDefinition job : jobs) {
      if (job.exhausted()) {
        finished += finishIfOver(job, now);
      } else {
        generate(job, now, stored, missed);
      }
    }
    if (!stored.isEmpty()) {
      stores.waiting().insert(group, stored);
    }
    boolean unused = recorder.record(missed, now);
    return new Generated(jobs.size(), stored.size(), finished);
  }

  /** The write of the job's row comes first: whoever edits the job waits, or has won. */
  private void generate(
      JobDefinition job, long now, List<WaitingTrigger> stored, List<TriggerEnd> missed) {
    JobPlanner.Planned planned = planner.window(job, now);
    if (!stores.jobs().advance(planned.advanced())) {
      return;
    }
    for (long plannedAt : planned.instants()) {
      stored.add(job.triggerFor(ids.next(now), plannedAt, now));
    }
    SkippedRange gap = planned.missed();
    if (gap != null) {
      missed.add(
          TriggerEnd.ofMissed(
              ids.next(now),
              job,
              gap.from().toEpochMilli(),
              gap.to().toEpochMilli(),
              gap.count(),
              now));
    }
  }

  private int finishIfOver(JobDefinition job, long now) {
    if (!stores.jobs().advance(job.fired(job.generatedUntil(), 0, lookAgainAt(job, now), true))) {
      return 0;
    }
    boolean lives =
        stores.waiting().findByTask(group, job.taskId()).stream()
                .anyMatch(WaitingTrigger::isOfRecurringJob)
            || !stores.executing().findByTasks(group, List.of(job.taskId())).isEmpty();
    return !lives && stores.jobs().replace(job.ended(JobState.FINISHED), job.version()) ? 1 : 0;
  }

  /** Waits as long again as it has waited: soon for a short run, seldom for a long one. */
  private static long lookAgainAt(JobDefinition job, long now) {
    long waited = Math.max(1_000, now - Math.min(now, job.generatedUntil()));
    return now + Math.min(waited, 30_000);
  }
}
