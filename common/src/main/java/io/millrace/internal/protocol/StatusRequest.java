package io.millrace.internal.protocol;

import io.millrace.api.JobStatus;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the status of the job with this key, or of one submit of it. Changes nothing.
 *
 * @param submissionId the submit, or the run now; null means the job that lives under the key
 */
public record StatusRequest(String nodeGroup, String taskId, @Nullable String submissionId)
    implements Request<JobStatus> {}
