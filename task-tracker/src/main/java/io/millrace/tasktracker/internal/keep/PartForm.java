package io.millrace.tasktracker.internal.keep;

import io.millrace.api.NotRetryableException;
import io.millrace.api.ValueMapper;
import io.millrace.internal.model.job.JobRules;
import io.millrace.internal.model.job.Rejection;
import io.millrace.internal.protocol.StagedPart;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parts that a handler makes, in the form and by the rules of the parameters of jobs. */
public final class PartForm {
  private final Object attempt;
  private final @Nullable String handler;
  private final ValueMapper values;

  /**
   * @param attempt the attempt that makes them, for messages
   * @param handler name of their runner; null means that of the run
   * @param values writes the parameters that are no Strings
   */
  public PartForm(Object attempt, @Nullable String handler, ValueMapper values) {
    this.attempt = attempt;
    this.handler = handler;
    this.values = values;
  }

  /**
   * Returns a part as it is stored.
   *
   * @param number its number, for messages
   * @throws NotRetryableException if a parameter has no JSON form or is not allowed
   */
  public StagedPart of(int number, Map<String, ?> params) {
    Map<String, String> stored = new LinkedHashMap<>();
    params.forEach((name, value) -> stored.put(name, text(number, name, value)));
    String fault = JobRules.checkPart(handler, stored).map(Rejection::message).orElse(null);
    if (fault != null) {
      throw fault(number, fault, null);
    }
    return new StagedPart(handler, stored);
  }

  private @Nullable String text(int number, String name, @Nullable Object value) {
    if (value == null || value instanceof String) {
      return (String) value;
    }
    try {
      return values.toJson(value);
    } catch (RuntimeException e) {
      throw fault(number, "parameter '%s': %s".formatted(name, e.getMessage()), e);
    }
  }

  private NotRetryableException fault(int number, String why, @Nullable Throwable cause) {
    return new NotRetryableException("%s: part %d: %s".formatted(attempt, number, why), cause);
  }
}
