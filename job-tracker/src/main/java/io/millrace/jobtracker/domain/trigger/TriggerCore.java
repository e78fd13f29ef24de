package io.millrace.jobtracker.domain.trigger;

/**
 * What every row about a trigger has.
 *
 * @param key identity of the trigger; of a run of instants that never ran, of its first
 * @param jobId id of the job's definition; of a one-shot, the id of its first waiting row; of a
 *     part, its batch
 * @param jobVersion version of the definition it was generated from; 0 for a one-shot or a part
 * @param plannedFor the instant that the trigger is planned for, in epoch milliseconds, the same
 *     for all attempts
 * @param attempt number of an attempt, from 1: of a waiting row the next, otherwise the last; 0 of
 *     an end without any
 */
public record TriggerCore(
    TriggerKey key, long jobId, int jobVersion, long plannedFor, int attempt) {

  /** Whether it is a part of a run that was split: a one-shot has no number. */
  public boolean isPart() {
    return jobVersion == 0 && key.ordinal() > 0;
  }

  /** The same trigger at another attempt. */
  public TriggerCore withAttempt(int number) {
    return new TriggerCore(key, jobId, jobVersion, plannedFor, number);
  }
}
