package io.millrace.scripts.output;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats the parameters of a job in one line. */
public final class JobParams {
  private JobParams() {}

  /** Formats parameters as options take them; null if there are none. */
  public static @Nullable String of(Map<String, String> params) {
    return params.isEmpty()
        ? null
        : params.entrySet().stream()
            .map(param -> param.getKey() + "=" + param.getValue())
            .collect(Collectors.joining(", "));
  }
}
