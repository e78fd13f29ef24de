package io.millrace.api;

/**
 * The answer to a terminate request.
 *
 * @param running number of running executions that were asked to stop and are interrupted; if one
 *     succeeds it still counts, and no further attempt follows
 */
public record TerminateResult(int running) {}
