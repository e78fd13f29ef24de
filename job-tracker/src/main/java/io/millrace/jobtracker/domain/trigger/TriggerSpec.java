package io.millrace.jobtracker.domain.trigger;

import io.millrace.common.model.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker must know of a job to run and to end one of its triggers, parameters aside. A
 * recurring job keeps it in its definition, a one-shot on its waiting row; an execution always
 * carries its own copy.
 *
 * @param handler name of the runner; empty means the worker's only one
 * @param retry how often a failed attempt is repeated
 * @param chained whether the transaction that ends a trigger writes the next one
 * @param feedback whether the client group is told the end
 * @param clientGroup whom feedback goes to
 * @param submissionId the client's id of the submit
 * @param submittedBy node id of the client
 */
public record TriggerSpec(
    @Nullable String handler,
    RetryPolicy retry,
    boolean chained,
    boolean feedback,
    String clientGroup,
    String submissionId,
    String submittedBy) {}
