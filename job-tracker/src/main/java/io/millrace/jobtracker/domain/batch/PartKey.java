package io.millrace.jobtracker.domain.batch;

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

  /** The part that a trigger is; empty if it is none: a one-shot has no number. */
  public static Optional<PartKey> of(TriggerCore trigger) {
    return trigger.jobVersion() == 0 && trigger.key().ordinal() > 0
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
