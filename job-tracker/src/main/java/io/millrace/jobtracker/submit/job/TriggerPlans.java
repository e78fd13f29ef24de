package io.millrace.jobtracker.submit.job;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;

/**
 * Plans the triggers with which a recurring job begins, or continues after a pause or an edit. A
 * chained job has one trigger at a time; none is planned if an execution under way will write it.
 * Thread-safe.
 */
public final class TriggerPlans {
  private final LockedJobs locked;
  private final JobPlanner planner;

  public TriggerPlans(LockedJobs locked, JobPlanner planner) {
    this.locked = locked;
    this.planner = planner;
  }

  /**
   * Whether a job that is accepted now has any fire time since its submit. The first trigger of a
   * chained job is written for a future fire time.
   */
  public boolean hasFireTime(JobDefinition job, long submittedAt, long now) {
    return planner.hasFireTime(job, job.spec().chained() ? now : Math.min(submittedAt, now), now);
  }

  /** Makes the trigger of a job for a planned fire time. */
  public WaitingTrigger trigger(JobDefinition job, long waitingId, long at, long now) {
    return planner.trigger(job, waitingId, at, now);
  }

  /** Plans the triggers of a new job. */
  public JobPlanner.Planned begin(JobDefinition job, long now) {
    return job.spec().chained() ? planner.first(job, now) : planner.window(job, now);
  }

  /** Plans the triggers of a job that replaces its former version. */
  public JobPlanner.Planned beginAnew(JobDefinition job, long now) {
    return isContinuedByARun(job) ? nothing(job) : begin(job, now);
  }

  /** Plans the triggers of a job that continues its schedule. */
  public JobPlanner.Planned goOn(JobDefinition job, long now) {
    if (!job.spec().chained()) {
      return planner.window(job, now);
    }
    return isContinuedByARun(job) ? nothing(job) : planner.next(job, now);
  }

  private boolean isContinuedByARun(JobDefinition job) {
    return job.spec().chained() && locked.hasNextToCome(job);
  }

  private static JobPlanner.Planned nothing(JobDefinition job) {
    return new JobPlanner.Planned(List.of(), job, null);
  }
}
