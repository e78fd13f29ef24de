package io.millrace.common.protocol;

import io.millrace.common.model.TerminateResult;
import org.jspecify.annotations.Nullable;

/**
 * Ends what is under way of a job: its bodies are interrupted and no attempt follows. Does not
 * touch what the job has yet to run. Terminating twice is harmless.
 *
 * @param executionId only this execution; empty means all of the job
 */
public record TerminateRequest(String nodeGroup, String taskId, @Nullable Long executionId)
    implements Request<TerminateResult> {}
