package io.millrace.jobtracker.disposition;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.List;
import java.util.Optional;

/**
 * Plans the next trigger of a chained job, which relies on its previous cycle or runs with a fixed
 * delay, in the transaction that ends the previous trigger. So a chained job always has exactly one
 * live trigger. Uses the current definition: a job that was edited during an execution continues by
 * its new definition. Thread-safe.
 */
public final class ChainedTriggers {
  private final Stores stores;
  private final JobPlanner planner;
  private final IdSequence ids;

  public ChainedTriggers(Stores stores, JobPlanner planner, IdSequence ids) {
    this.stores = stores;
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
    Optional<JobDefinition> found = ended.isExtra() ? Optional.empty() : stores.jobs().find(jobId);
    if (found.isEmpty()
        || found.get().state() != JobState.ACTIVE
        || !found.get().spec().chained()) {
      return Optional.empty();
    }
    JobDefinition job = found.get();
    JobPlanner.Planned next = planner.next(job, now);
    boolean isOver = next.instants().isEmpty() && !hasExtras(job);
    boolean isWritten =
        isOver
            ? stores.jobs().replace(job.ended(JobState.FINISHED), job.version())
            : stores.jobs().advance(next.advanced());
    if (!isWritten) {
      throw new RaceLostException("job " + job.id() + " changed while its trigger ended");
    }
    return next.instants().stream()
        .findFirst()
        .map(instant -> planner.trigger(job, ids.next(now), instant, now));
  }

  /**
   * Whether a run on request or a replay lives, which may have to be repeated: then the job becomes
   * FINISHED after it, by the generator. Waiting rows are read first, as triggers move.
   */
  private boolean hasExtras(JobDefinition job) {
    return stores.waiting().findByTask(job.nodeGroup(), job.taskId()).stream()
            .anyMatch(trigger -> trigger.isOfRecurringJob() && trigger.key().isExtra())
        || stores.runs().findByTasks(job.nodeGroup(), List.of(job.taskId())).stream()
            .anyMatch(run -> run.isOfRecurringJob() && run.key().isExtra());
  }
}
