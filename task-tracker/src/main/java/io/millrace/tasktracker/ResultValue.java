package io.millrace.tasktracker;

import io.millrace.api.Outcome;
import io.millrace.api.ValueMapper;
import io.millrace.internal.values.JsonText;
import io.millrace.tasktracker.internal.execute.InvocationResult;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a runner returns into the report of its attempt. The work is done, so a value that
 * cannot be kept makes the attempt FAILED: a retry would do the work again. Stateless.
 */
final class ResultValue {
  private ResultValue() {}

  static InvocationResult of(Result result, ValueMapper mapper) {
    Object value = result.value();
    if (value == null) {
      return new InvocationResult(result.outcome(), result.message(), result.delay());
    }
    String json;
    String fault;
    try {
      json = mapper.toJson(value);
      fault = json == null ? "has no JSON: the mapper returned null" : JsonText.faultOf(json);
    } catch (RuntimeException | StackOverflowError e) {
      json = null;
      fault = "has no JSON form: " + (e instanceof RuntimeException ? e.getMessage() : e);
    }
    return fault == null
        ? new InvocationResult(result.outcome(), result.message(), null, json)
        : new InvocationResult(Outcome.FAILED, lost(value, fault, result.message()), null);
  }

  private static String lost(Object value, String fault, @Nullable String message) {
    return "the job ended without an error, but its result, a %s, cannot be kept: it %s%s"
        .formatted(value.getClass().getName(), fault, message == null ? "" : "\n" + message);
  }
}
