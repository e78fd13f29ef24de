package io.millrace.internal.protocol;

import io.millrace.api.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's report on one attempt. The tracker applies the policies: it decides from its own rows
 * what follows.
 *
 * @param executionId the attempt
 * @param outcome how the attempt ended
 * @param message for a person; the stack trace of an exception
 * @param laterDelay with LATER, the delay until the next run
 * @param exceptionTypes with EXCEPTION, names of the thrown class and its superclasses, from the
 *     thrown one upwards
 * @param startedAt when the invocation began, by the worker's clock; null if it never did
 * @param finishedAt when the attempt ended, by the worker's clock
 * @param result with SUCCESS, the result of the job as JSON; null if it has none
 * @param noRetry with EXCEPTION, whether no attempt may follow
 * @param kept whether the run keeps steps or a checkpoint, as far as the worker knows
 * @param staged with SUCCESS, how many parts the attempt has stored: the run ends when they have;
 *     null if the run is not split
 */
public record ExecutionResult(
    long executionId,
    Outcome outcome,
    @Nullable String message,
    @Nullable Duration laterDelay,
    List<String> exceptionTypes,
    @Nullable Instant startedAt,
    Instant finishedAt,
    @Nullable String result,
    boolean noRetry,
    boolean kept,
    @Nullable Integer staged) {

  /** Longest message that is kept, in characters. */
  public static final int MAX_MESSAGE_CHARS = 4_000;

  /** Creates a report without a result, after which attempts may follow. */
  public ExecutionResult(
      long executionId,
      Outcome outcome,
      @Nullable String message,
      @Nullable Duration laterDelay,
      List<String> exceptionTypes,
      @Nullable Instant startedAt,
      Instant finishedAt) {
    this(
        executionId,
        outcome,
        message,
        laterDelay,
        exceptionTypes,
        startedAt,
        finishedAt,
        null,
        false);
  }

  public ExecutionResult {
    outcome = outcome == null ? Outcome.UNKNOWN : outcome;
    exceptionTypes = exceptionTypes == null ? List.of() : List.copyOf(exceptionTypes);
  }

  /** Creates a report on a run that keeps nothing. */
  public ExecutionResult(
      long executionId,
      Outcome outcome,
      @Nullable String message,
      @Nullable Duration laterDelay,
      List<String> exceptionTypes,
      @Nullable Instant startedAt,
      Instant finishedAt,
      @Nullable String result,
      boolean noRetry) {
    this(
        executionId,
        outcome,
        message,
        laterDelay,
        exceptionTypes,
        startedAt,
        finishedAt,
        result,
        noRetry,
        false,
        null);
  }

  /** The same report on an attempt of a run that keeps steps or a checkpoint. */
  public ExecutionResult withKept() {
    return new ExecutionResult(
        executionId,
        outcome,
        message,
        laterDelay,
        exceptionTypes,
        startedAt,
        finishedAt,
        result,
        noRetry,
        true,
        staged);
  }

  /** The same report on an attempt that has split its run into this many parts. */
  public ExecutionResult withStaged(int parts) {
    return new ExecutionResult(
        executionId,
        outcome,
        message,
        laterDelay,
        exceptionTypes,
        startedAt,
        finishedAt,
        result,
        noRetry,
        kept,
        parts);
  }

  /** The highest number of bytes of UTF-8 that its message and its result may take. */
  public long textBytes() {
    return 3L * textChars();
  }

  /** The number of characters of its message and its result. */
  public int textChars() {
    return (message == null ? 0 : message.length()) + (result == null ? 0 : result.length());
  }
}
