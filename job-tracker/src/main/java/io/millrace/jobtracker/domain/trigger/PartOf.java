package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * What a part belongs to.
 *
 * @param batchId the batch
 * @param shards how many shards its run was split into; null if it is no shard
 */
public record PartOf(long batchId, @Nullable Integer shards) {}
