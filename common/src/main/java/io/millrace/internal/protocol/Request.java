package io.millrace.internal.protocol;

/**
 * A message that requires an answer.
 *
 * @param <R> the record of the reply
 */
public interface Request<R> {}
