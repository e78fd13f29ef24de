package io.millrace.jobtracker.domain.trigger;

/**
 * Identity of a trigger within its node group; never changes.
 *
 * @param taskId the job's task id
 * @param plannedAt the instant that the schedule says, in epoch milliseconds; 0 for a one-shot,
 *     regardless of its due time, so that a task id has at most one live one-shot
 * @param ordinal 0 for what was scheduled; of an extra run, its number among those of the job; of a
 *     part, its number
 */
public record TriggerKey(String taskId, long plannedAt, int ordinal) {

  /** The identity of the one-shot of this task id. */
  public static TriggerKey oneShot(String taskId) {
    return new TriggerKey(taskId, 0, 0);
  }

  /** The identity of the trigger that the schedule of this task id planned for this instant. */
  public static TriggerKey planned(String taskId, long plannedAt) {
    return new TriggerKey(taskId, plannedAt, 0);
  }

  /** The identity of a run requested beside the schedule. */
  public static TriggerKey extra(String taskId, long askedAt, int ordinal) {
    return new TriggerKey(taskId, askedAt, ordinal);
  }

  /** Whether it was requested beside the schedule. */
  public boolean isExtra() {
    return ordinal > 0;
  }

  @Override
  public String toString() {
    return taskId + "@" + plannedAt + "#" + ordinal;
  }
}
