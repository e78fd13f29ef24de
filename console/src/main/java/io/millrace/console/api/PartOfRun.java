package io.millrace.console.api;

import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a run an execution does.
 *
 * @param batch id of the batch
 * @param number of the part, from 1
 * @param taskId of the job whose run was split
 * @param shards how many shards the run has, or for how many workers it is; null if the part is
 *     neither a shard nor for one worker
 */
public record PartOfRun(String batch, int number, String taskId, @Nullable Integer shards) {

  /** Returns null if the trigger is no part. */
  public static @Nullable PartOfRun of(@Nullable PartOf part, TriggerKey key) {
    return part == null
        ? null
        : new PartOfRun(
            String.valueOf(part.batchId()), key.ordinal(), part.taskId(), part.shards());
  }
}
