package io.millrace.internal.protocol;

/**
 * Asks for a page of the ended parts of a run, in the order of their numbers. Any tracker answers
 * it.
 *
 * @param executionId the execution of the run's reduce, which the worker must hold
 * @param aboveNumber the number of the last part before this page; 0 for the first page
 */
public record PartsRequest(long executionId, int aboveNumber) implements Request<PartsReply> {}
