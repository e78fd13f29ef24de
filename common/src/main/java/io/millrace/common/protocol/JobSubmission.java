package io.millrace.common.protocol;

import io.millrace.common.model.Job;

/**
 * One job of a submit.
 *
 * @param submissionId minted by the client, the same on every resend; one that is known already is
 *     answered from the record and stores nothing
 * @param job the job
 */
public record JobSubmission(String submissionId, Job job) {}
