package io.millrace.jobtracker.domain.job;

import org.jspecify.annotations.Nullable;

/**
 * A pause of a job.
 *
 * @param by who paused it: group and node id of a client, or node id alone if it has no group
 * @param at since when, in epoch milliseconds
 * @param reason as given by the one who paused it
 */
public record Pause(String by, long at, @Nullable String reason) {}
