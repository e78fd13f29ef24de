package io.millrace.jobtracker.domain.trigger;

/**
 * A request that asked for a run.
 *
 * @param id the client's id of the request, by which a resend is known
 * @param by node id of the client
 */
public record Submission(String id, String by) {}
