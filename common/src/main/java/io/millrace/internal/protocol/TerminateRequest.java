package io.millrace.internal.protocol;

import io.millrace.api.TerminateResult;
import org.jspecify.annotations.Nullable;

/**
 * Terminates running executions of a job: their invocations are interrupted and no attempt follows.
 * Does not affect triggers that have not started. Terminating twice is harmless.
 *
 * @param executionId only this execution; null means all of the job
 */
public record TerminateRequest(String nodeGroup, String taskId, @Nullable Long executionId)
    implements Request<TerminateResult> {}
