package io.millrace.internal.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far an execution has come, as its job says.
 *
 * @param executionId the execution
 * @param done how much is done, in units of the job
 * @param total how much there is to do; 0 means unknown
 * @param message for a person; null means none
 * @param at when the job said so, by the worker's clock
 */
public record ExecutionProgress(
    long executionId, long done, long total, @Nullable String message, Instant at) {

  /** The longest message that is kept, in characters. */
  public static final int MAX_MESSAGE_CHARS = 200;

  /** The most executions of a worker whose progress is shown. */
  public static final int MOST_SHOWN = 100;
}
