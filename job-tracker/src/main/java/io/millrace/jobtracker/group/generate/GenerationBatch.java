package io.millrace.jobtracker.group.generate;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore.Advance;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows that one transaction writes: planned first, then written. Not thread-safe. */
final class GenerationBatch {
  private static final Logger LOG = LoggerFactory.getLogger(GenerationBatch.class);
  private static final long FAILED_PAUSE_MILLIS = 60_000;

  private final JobPlanner planner;
  private final IdSequence ids;
  private final long now;
  private final List<Advance> advances = new ArrayList<>();
  private final List<WaitingTrigger> triggers = new ArrayList<>();
  private final List<TriggerCompletion> missed = new ArrayList<>();
  private final List<JobDefinition> spent = new ArrayList<>();
  private int failed;
  private int finished;
  private boolean all;

  GenerationBatch(JobPlanner planner, IdSequence ids, long now) {
    this.planner = planner;
    this.ids = ids;
    this.now = now;
  }

  /** Plans a job and adds the result. A job that cannot be planned is put off. */
  void add(JobDefinition job) {
    advances.add(new Advance(job.generatedUntil(), job.exhausted() ? look(job) : plan(job)));
  }

  private JobDefinition look(JobDefinition job) {
    spent.add(job);
    return job.fired(job.generatedUntil(), 0, lookAgainAt(job, now), true);
  }

  /** Waits as long as the job has waited, 1 to 30 s: short for a short run, long for a long one. */
  private static long lookAgainAt(JobDefinition job, long now) {
    long waited = Math.max(1_000, now - Math.min(now, job.generatedUntil()));
    return now + Math.min(waited, 30_000);
  }

  private JobDefinition plan(JobDefinition job) {
    JobPlanner.Planned planned;
    try {
      planned = planner.window(job, now);
    } catch (RuntimeException e) {
      failed++;
      return putOff(job, e, now);
    }
    for (long plannedAt : planned.instants()) {
      triggers.add(planner.trigger(job, ids.next(now), plannedAt, now));
    }
    SkippedRange gap = planned.missed();
    if (gap != null) {
      missed.add(TriggerCompletion.ofMissed(ids.next(now), job, gap, now));
    }
    return planned.advanced();
  }

  /** Returns a failed job, put off by a minute: only time is lost. Logs the failure. */
  static JobDefinition putOff(JobDefinition job, RuntimeException because, long now) {
    LOG.error(
        "generate: {}/{} (job {}) failed: {}",
        job.nodeGroup(),
        job.taskId(),
        job.id(),
        because.toString());
    return job.fired(job.generatedUntil(), 0, now + FAILED_PAUSE_MILLIS, false);
  }

  /** The advance of each job; to be written first. */
  List<Advance> advances() {
    return advances;
  }

  List<WaitingTrigger> triggers() {
    return triggers;
  }

  /** The ranges of fire times that never get a trigger. */
  List<TriggerCompletion> missed() {
    return missed;
  }

  /** The jobs without another fire time. Such a job is finished if it has no live trigger. */
  List<JobDefinition> spent() {
    return spent;
  }

  void countFinished() {
    finished++;
  }

  /** Sets whether no job is left for another batch. */
  void setAll(boolean isAll) {
    all = isAll;
  }

  boolean isAll() {
    return all;
  }

  TriggerGenerator.Generated done() {
    return new TriggerGenerator.Generated(advances.size(), triggers.size(), finished, failed);
  }
}
