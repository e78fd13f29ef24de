package io.millrace.common.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Says that a submission edits the job of its key that lives: what it does not change goes on. A
 * paused job stays paused, and an equal schedule keeps its fire times. Refused if no such job
 * lives, or if it is not the one that the edit was made from.
 *
 * @param jobId of the job that the edit was made from; null for whichever lives
 * @param version of the recurring job that the edit was made from; null for whichever is current
 */
public record JobEdit(@Nullable Long jobId, @Nullable Integer version) {}
