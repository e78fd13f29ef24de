package io.millrace.tasktracker.execute;

import io.millrace.common.model.Outcome;
import io.millrace.common.protocol.ExecutionResult;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.text.BoundedText;
import io.millrace.tasktracker.text.StackTraceText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words an attempt's end for the wire. Stateless. */
final class EndedAttempt {
  private EndedAttempt() {}

  /** The body returned. */
  static ExecutionResult returned(
      long executionId, @Nullable Result returned, Instant startedAt, Instant finishedAt) {
    Result result = returned == null ? Result.success() : returned;
    return new ExecutionResult(
        executionId,
        result.outcome(),
        cut(result.message()),
        result.delay(),
        List.of(),
        startedAt,
        finishedAt);
  }

  /** The body threw. */
  static ExecutionResult threw(
      long executionId, Throwable thrown, Instant startedAt, Instant finishedAt) {
    return new ExecutionResult(
        executionId,
        Outcome.EXCEPTION,
        StackTraceText.of(thrown, ExecutionResult.MAX_MESSAGE_CHARS),
        null,
        typesOf(thrown),
        startedAt,
        finishedAt);
  }

  /** The body gave way to a shutdown. */
  static ExecutionResult interrupted(long executionId, Instant startedAt, Instant finishedAt) {
    return new ExecutionResult(
        executionId,
        Outcome.INTERRUPTED,
        "the worker was closed and the grace was over",
        null,
        List.of(),
        startedAt,
        finishedAt);
  }

  /** The body never began. */
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
