package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * What a part belongs to.
 *
 * @param batchId the batch
 * @param taskId of the run that was split, by which handlers know their job
 * @param shards how many shards its run was split into; null if it is no shard
 * @param reduces whether it runs after all others and may read what they returned
 */
public record PartOf(long batchId, String taskId, @Nullable Integer shards, boolean reduces) {}
