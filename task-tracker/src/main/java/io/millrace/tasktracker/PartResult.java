package io.millrace.tasktracker;

import io.millrace.api.Disposition;
import io.millrace.api.NotRetryableException;
import io.millrace.api.ValueMapper;
import io.millrace.api.ValueType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one part of a run ended, as {@link JobContext#parts} tells the reduce of the run.
 *
 * @param number the number of the part, from 1
 * @param disposition how it ended
 * @param result what its handler returned, as JSON; null if nothing
 * @param params its own parameters; none if it had those of the run, as shards have
 * @param values reads the result
 */
public record PartResult(
    int number,
    Disposition disposition,
    @Nullable String result,
    Map<String, String> params,
    ValueMapper values) {
  public PartResult {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  /**
   * Returns the end of a part, for tests of a reduce.
   *
   * @param value what its handler returned; null for nothing
   */
  public static PartResult of(
      int number, Disposition disposition, @Nullable Object value, Map<String, String> params) {
    ValueMapper standard = ValueMapper.standard();
    String json = value == null ? null : standard.toJson(value);
    return new PartResult(number, disposition, json, params, standard);
  }

  /** Returns whether the part succeeded. */
  public boolean isSuccess() {
    return disposition == Disposition.SUCCEEDED;
  }

  /** As {@link #result(ValueType)}, for a type that is a class. */
  public <T> Optional<T> result(Class<T> type) {
    return result(ValueType.of(type));
  }

  /**
   * Returns what the handler of the part returned, or empty if it returned no value or did not
   * succeed.
   *
   * @throws NotRetryableException if the value does not fit the type
   */
  @SuppressWarnings("unchecked") // the mapper returns values of the type
  public <T> Optional<T> result(ValueType<T> type) {
    if (result == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable((T) values.fromJson(result, type.type()));
    } catch (RuntimeException e) {
      throw new NotRetryableException(
          "the result of part %d does not fit %s: %s".formatted(number, type, e.getMessage()), e);
    }
  }
}
