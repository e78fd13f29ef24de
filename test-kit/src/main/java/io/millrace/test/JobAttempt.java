package io.millrace.test;

import io.millrace.api.Outcome;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a {@link JobRun}. Immutable.
 *
 * @param number from 1; an attempt that does not count, for example after {@code Result.later}, has
 *     the number of the one before it
 * @param executionId the id that the handler received
 * @param workerId the id of the worker
 * @param outcome what the worker reported; null if it has not reported yet
 * @param startedAt when the handler was called, on the test's clock; null if it was not
 * @param finishedAt when the tracker recorded the end; null if the attempt has not ended
 * @param message what the worker reported for people: the message of the result, or the stack trace
 *     of the exception; null if there is none
 * @param result the value that the handler returned, as JSON that the tracker has stored; null if
 *     there is none
 * @param params the parameters that the handler received
 */
public record JobAttempt(
    int number,
    long executionId,
    String workerId,
    @Nullable Outcome outcome,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable String message,
    @Nullable String result,
    Map<String, String> params) {

  /** Copies the parameters. */
  public JobAttempt {
    params = Map.copyOf(params);
  }
}
