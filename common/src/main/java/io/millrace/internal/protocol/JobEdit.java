package io.millrace.internal.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Marks a submission as an edit of the live job with its key: what the edit does not change
 * continues. A paused job stays paused, and an equal schedule keeps its fire times. Rejected if
 * there is no live job, or if the edit is based on another job or version.
 *
 * @param jobId id of the job that the edit is based on; null means the live one
 * @param version version of the recurring job that the edit is based on; null means the current one
 */
public record JobEdit(@Nullable Long jobId, @Nullable Integer version) {}
