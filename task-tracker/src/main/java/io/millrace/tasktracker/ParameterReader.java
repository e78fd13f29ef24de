package io.millrace.tasktracker;

import io.millrace.api.ParameterException;
import io.millrace.api.ValueMapper;
import io.millrace.api.ValueType;
import io.millrace.internal.values.JsonText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a parameter of a job as a value. Stateless. */
final class ParameterReader {
  private ParameterReader() {}

  static <T> T require(JobContext job, String name, ValueType<T> type) {
    return find(job, name, type)
        .orElseThrow(
            () -> failure(job, name, "is missing; the job has " + job.params().keySet(), null));
  }

  static <T> Optional<T> find(JobContext job, String name, ValueType<T> type) {
    String text = job.param(name);
    return text == null ? Optional.empty() : Optional.of(read(job, name, text, type));
  }

  /** Text that is no JSON stands for itself: it was given as text, on a command line perhaps. */
  @SuppressWarnings("unchecked") // the mapper returns values of the type
  private static <T> T read(JobContext job, String name, String text, ValueType<T> type) {
    if (type.type() == String.class) {
      return (T) text;
    }
    ValueMapper mapper = job.values();
    try {
      Object value =
          mapper.fromJson(JsonText.isJson(text) ? text : JsonText.quote(text), type.type());
      if (value == null) {
        throw failure(job, name, "is null to " + mapper, null);
      }
      return (T) value;
    } catch (ParameterException e) {
      throw e;
    } catch (RuntimeException e) {
      throw failure(job, name, "does not fit " + type + ": " + e.getMessage(), e);
    }
  }

  private static ParameterException failure(
      JobContext job, String name, String reason, @Nullable Throwable cause) {
    return new ParameterException(
        "job %s/%s: parameter %s %s".formatted(job.nodeGroup(), job.taskId(), name, reason), cause);
  }
}
