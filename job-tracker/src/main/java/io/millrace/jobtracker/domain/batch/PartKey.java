package io.millrace.jobtracker.domain.batch;

import io.millrace.internal.model.job.JobRules;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.util.Optional;

/**
 * Identity of a part: a trigger whose task id names its batch. No job can have such a task id, so
 * no read by the task id of a job finds a part.
 *
 * @param batchId id of the batch
 * @param number of the part in its batch, from 1
 */
public record PartKey(long batchId, int number) {

  public PartKey {
    if (batchId < 1 || number < 1) {
      throw new IllegalArgumentException("batch " + batchId + " has no part " + number);
    }
  }

  /** The task id of all parts of a batch. */
  public static String taskIdOf(long batchId) {
    return "#" + batchId;
  }

  /** The batch that a task id of parts names; empty if it is the task id of a job. */
  public static Optional<Long> batchOf(String taskId) {
    try {
      return JobRules.isReserved(taskId)
          ? Optional.of(Long.parseLong(taskId.substring(1))).filter(id -> id > 0)
          : Optional.empty();
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  /** The part that a trigger is; empty if it is none. */
  public static Optional<PartKey> of(TriggerCore trigger) {
    return trigger.isPart()
        ? Optional.of(new PartKey(trigger.jobId(), trigger.key().ordinal()))
        : Optional.empty();
  }

  public TriggerKey trigger() {
    return new TriggerKey(taskIdOf(batchId), 0, number);
  }

  @Override
  public String toString() {
    return "part " + number + " of batch " + batchId;
  }
}
