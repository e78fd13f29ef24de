package io.millrace.common.model;

/**
 * The answer to a terminate.
 *
 * @param running executions under way that were told to stop and are interrupted; a success of
 *     theirs still counts, no further attempt follows
 */
public record TerminateResult(int running) {}
