package io.millrace.jobtracker.disposition;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.Optional;

/**
 * Plans the next trigger of a chained job, which relies on its previous cycle or runs with a fixed
 * delay, in the transaction that ends the previous trigger. So a chained job always has exactly one
 * live trigger. Uses the current definition: a job that was edited during an execution continues by
 * its new definition. Thread-safe.
 */
public final class ChainedTriggers {
  private final JobStore jobs;
  private final JobPlanner planner;
  private final IdSequence ids;

  public ChainedTriggers(JobStore jobs, JobPlanner planner, IdSequence ids) {
    this.jobs = jobs;
    this.planner = planner;
    this.ids = ids;
  }

  /** The trigger that follows an ended execution, to be inserted by the caller's transaction. */
  public Optional<WaitingTrigger> next(Execution ended, long now) {
    return ended.isOfRecurringJob() && ended.spec().chained()
        ? next(ended.jobId(), ended.key(), now)
        : Optional.empty();
  }

  /**
   * The trigger that follows a trigger that ends without an execution, to be inserted by the
   * caller's transaction.
   */
  public Optional<WaitingTrigger> next(WaitingTrigger ended, TriggerSpec spec, long now) {
    return ended.isOfRecurringJob() && spec.chained()
        ? next(ended.jobId(), ended.key(), now)
        : Optional.empty();
  }

  private Optional<WaitingTrigger> next(long jobId, TriggerKey ended, long now) {
    Optional<JobDefinition> found = ended.isExtra() ? Optional.empty() : jobs.find(jobId);
    if (found.isEmpty()
        || found.get().state() != JobState.ACTIVE
        || !found.get().spec().chained()) {
      return Optional.empty();
    }
    JobDefinition job = found.get();
    JobPlanner.Planned next = planner.next(job, now);
    if (next.instants().isEmpty()) {
      finish(job);
      return Optional.empty();
    }
    if (!jobs.advance(next.advanced())) {
      throw new RaceLostException("job " + job.id() + " changed while its trigger ended");
    }
    return Optional.of(planner.trigger(job, ids.next(now), next.instants().get(0), now));
  }

  private void finish(JobDefinition job) {
    if (!jobs.replace(job.ended(JobState.FINISHED), job.version())) {
      throw new RaceLostException("job " + job.id() + " changed while it finished");
    }
  }
}
