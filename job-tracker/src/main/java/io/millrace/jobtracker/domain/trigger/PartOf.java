package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * What a part belongs to.
 *
 * @param batchId the batch
 * @param taskId of the run that was split, by which handlers know their job
 * @param shards how many shards its run was split into, or for how many workers it is; null if it
 *     is neither a shard nor for one worker
 * @param reduces whether it runs after all others and may read what they returned
 * @param boundTo the worker that alone may run it; null if others may as well
 */
public record PartOf(
    long batchId,
    String taskId,
    @Nullable Integer shards,
    boolean reduces,
    @Nullable BoundTo boundTo) {}
