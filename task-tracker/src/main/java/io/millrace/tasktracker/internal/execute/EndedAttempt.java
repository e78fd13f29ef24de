package io.millrace.tasktracker.internal.execute;

import io.millrace.api.NotRetryableException;
import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.tasktracker.internal.text.BoundedText;
import io.millrace.tasktracker.internal.text.StackTraceText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates the results that describe the end of attempts. Stateless. */
final class EndedAttempt {
  /** The maximum number of stack frames in a message; the innermost ones are included. */
  private static final int MAX_CALLS = 50;

  private EndedAttempt() {}

  /** Returns the result of an invocation that returned. */
  static ExecutionResult returned(
      long executionId,
      @Nullable InvocationResult returned,
      @Nullable Instant startedAt,
      Instant finishedAt) {
    InvocationResult result = returned == null ? InvocationResult.SUCCESS : returned;
    return new ExecutionResult(
        executionId,
        result.outcome(),
        cut(result.message()),
        result.delay(),
        List.of(),
        startedAt,
        finishedAt,
        result.value(),
        false);
  }

  /** Returns the result of an invocation that threw. */
  static ExecutionResult threw(
      long executionId, Throwable thrown, @Nullable Instant startedAt, Instant finishedAt) {
    return new ExecutionResult(
        executionId,
        Outcome.EXCEPTION,
        StackTraceText.of(thrown, ExecutionResult.MAX_MESSAGE_CHARS),
        null,
        typesOf(thrown),
        startedAt,
        finishedAt,
        null,
        thrown instanceof NotRetryableException);
  }

  /**
   * Returns the result of an invocation that ended on an interrupt, or that is no longer waited
   * for.
   */
  static ExecutionResult stopped(
      AttemptContext context,
      StopReason reason,
      String message,
      @Nullable Instant startedAt,
      Instant finishedAt) {
    return new ExecutionResult(
        context.executionId(),
        outcomeOf(reason),
        cut(message),
        null,
        List.of(),
        startedAt,
        finishedAt);
  }

  private static Outcome outcomeOf(StopReason reason) {
    return switch (reason) {
      case TIMED_OUT -> Outcome.TIMED_OUT;
      case LEASE_LOST -> Outcome.LEASE_LOST;
      case TERMINATED, SHUTDOWN -> Outcome.INTERRUPTED;
    };
  }

  /** Returns the result of an invocation that threw after its lease was reported as lost. */
  static ExecutionResult lost(
      AttemptContext context, Throwable thrown, @Nullable Instant startedAt, Instant finishedAt) {
    String message =
        StopReason.LEASE_LOST.words()
            + "\n"
            + StackTraceText.of(thrown, ExecutionResult.MAX_MESSAGE_CHARS / 2);
    return stopped(context, StopReason.LEASE_LOST, message, startedAt, finishedAt);
  }

  /**
   * Returns a short result for an invocation whose end cannot be described, perhaps because memory
   * is exhausted.
   */
  static ExecutionResult indescribable(long executionId, Throwable thrown, Instant finishedAt) {
    return new ExecutionResult(
        executionId,
        Outcome.EXCEPTION,
        thrown.getClass().getName(),
        null,
        List.of(thrown.getClass().getName()),
        null,
        finishedAt);
  }

  /** Returns a stack trace as text, each call on its own line. */
  static String stack(StackTraceElement[] calls) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(calls.length, MAX_CALLS); i++) {
      text.append("\n\tat ").append(calls[i]);
    }
    return text.toString();
  }

  /** Returns the result of an execution whose invocation never began. */
  static ExecutionResult neverBegan(
      long executionId, Outcome outcome, String message, Instant now) {
    return new ExecutionResult(executionId, outcome, cut(message), null, List.of(), null, now);
  }

  private static List<String> typesOf(Throwable thrown) {
    List<String> types = new ArrayList<>();
    for (Class<?> type = thrown.getClass();
        type != null && type != Object.class;
        type = type.getSuperclass()) {
      types.add(type.getName());
    }
    return types;
  }

  private static @Nullable String cut(@Nullable String message) {
    return message == null ? null : BoundedText.cut(message, ExecutionResult.MAX_MESSAGE_CHARS);
  }
}
