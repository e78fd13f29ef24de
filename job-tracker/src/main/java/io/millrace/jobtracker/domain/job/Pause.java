package io.millrace.jobtracker.domain.job;

import org.jspecify.annotations.Nullable;

/**
 * A pause of a job.
 *
 * @param by group and node id of the client that paused it
 * @param at since when, in epoch milliseconds
 * @param reason as the client gave it
 */
public record Pause(String by, long at, @Nullable String reason) {}
