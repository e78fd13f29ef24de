package io.millrace.jobtracker.complete;

import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.RaceLostException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Writes the next trigger of a job that relies on its previous cycle or runs with a fixed delay, in
 * the transaction that ends the trigger before. So exactly one trigger of such a job lives, and
 * none is ever missing. Takes the job as it is now: one that was edited while it ran goes on by its
 * new definition. Thread-safe.
 */
final class ChainedTriggers {
  private final JobStore jobs;
  private final IdSequence ids;
  private final ZoneId defaultZone;

  ChainedTriggers(JobStore jobs, IdSequence ids, ZoneId defaultZone) {
    this.jobs = jobs;
    this.ids = ids;
    this.defaultZone = defaultZone;
  }

  /** The trigger that follows the one that ends, to be inserted by the caller's transaction. */
  Optional<WaitingTrigger> next(Execution ended, long now) {
    if (!ended.isOfRecurringJob() || !ended.spec().chained() || ended.key().ordinal() != 0) {
      return Optional.empty();
    }
    Optional<JobDefinition> found = jobs.find(ended.jobId());
    if (found.isEmpty()
        || found.get().state() != JobState.ACTIVE
        || !found.get().spec().chained()) {
      return Optional.empty();
    }
    JobDefinition job = found.get();
    Optional<Instant> next = nextFireTime(job, now);
    if (next.isEmpty()) {
      finish(job);
      return Optional.empty();
    }
    long plannedAt = next.get().toEpochMilli();
    if (!jobs.advance(job.fired(plannedAt, 1, null, false))) {
      throw new RaceLostException("job " + job.id() + " changed while its trigger ended");
    }
    return Optional.of(job.triggerFor(ids.next(now), plannedAt, now));
  }

  private Optional<Instant> nextFireTime(JobDefinition job, long now) {
    FireTimes fireTimes =
        FireTimes.of(job.schedule(), Instant.ofEpochMilli(job.acceptedAt()), defaultZone);
    Instant ended = Instant.ofEpochMilli(Math.max(now, job.generatedUntil()));
    return fireTimes.nextAfterEnd(ended, job.firedCount());
  }

  private void finish(JobDefinition job) {
    if (!jobs.replace(job.ended(JobState.FINISHED), job.version())) {
      throw new RaceLostException("job " + job.id() + " changed while it finished");
    }
  }
}
