package io.millrace.common.protocol;

/**
 * A message that asks for an answer.
 *
 * @param <R> the record that answers it
 */
public interface Request<R> {}
