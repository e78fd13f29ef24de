package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * A row of a waiting table. Never updated in place: each time a trigger comes back it is a new row
 * with a new id, so an old copy in memory can never claim a newer one.
 *
 * @param id of this row
 * @param key identity of the trigger
 * @param jobId id of the job's definition; of a one-shot, the id of its first waiting row
 * @param jobVersion version of the definition it was generated from; 0 for a one-shot
 * @param plannedFor the instant it is meant for, in epoch milliseconds, the same over all attempts
 * @param dueAt when the next attempt may start, in epoch milliseconds
 * @param priority 0 to 255, lower first
 * @param attempt number of the next attempt, from 1
 * @param generatedAt when the trigger was first written, in epoch milliseconds
 * @param spec of a one-shot; null for a recurring job, whose definition holds it
 * @param params of a one-shot; none for a recurring job, whose definition holds them
 */
public record WaitingTrigger(
    long id,
    TriggerKey key,
    long jobId,
    int jobVersion,
    long plannedFor,
    long dueAt,
    int priority,
    int attempt,
    long generatedAt,
    @Nullable TriggerSpec spec,
    StoredParams params) {

  /** Whether a job definition stands behind it. */
  public boolean isOfRecurringJob() {
    return jobVersion > 0;
  }

  /** The same trigger with its parameters read. */
  public WaitingTrigger withParams(StoredParams read) {
    return new WaitingTrigger(
        id, key, jobId, jobVersion, plannedFor, dueAt, priority, attempt, generatedAt, spec, read);
  }
}
