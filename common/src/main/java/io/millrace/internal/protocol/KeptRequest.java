package io.millrace.internal.protocol;

/**
 * Asks what earlier attempts of an execution's trigger have kept. Any tracker answers it.
 *
 * @param executionId the execution, which the worker must hold
 */
public record KeptRequest(long executionId) implements Request<KeptReply> {}
