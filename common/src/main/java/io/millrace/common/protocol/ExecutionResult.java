package io.millrace.common.protocol;

import io.millrace.common.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says of one attempt. Policy stays with the tracker: it decides from its own rows
 * what follows.
 *
 * @param executionId the attempt
 * @param outcome how it ended
 * @param message for a person; the stack trace of an exception
 * @param laterDelay with LATER, how long to wait
 * @param exceptionTypes with EXCEPTION, class names from the thrown one up to its topmost ancestor
 * @param startedAt when the body began, by the worker's clock; empty if it never did
 * @param finishedAt when it ended, by the worker's clock
 */
public record ExecutionResult(
    long executionId,
    Outcome outcome,
    @Nullable String message,
    @Nullable Duration laterDelay,
    List<String> exceptionTypes,
    @Nullable Instant startedAt,
    Instant finishedAt) {

  /** Characters of a message that are kept. */
  public static final int MAX_MESSAGE_CHARS = 4_000;

  public ExecutionResult {
    outcome = outcome == null ? Outcome.UNKNOWN : outcome;
    exceptionTypes = exceptionTypes == null ? List.of() : List.copyOf(exceptionTypes);
  }
}
