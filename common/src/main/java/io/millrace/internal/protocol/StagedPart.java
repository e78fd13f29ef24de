package io.millrace.internal.protocol;

import io.millrace.internal.model.ParamsLimit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part that a handler makes of its run.
 *
 * @param handler name of the runner; null means that of the run
 * @param params the parameters of the part
 */
public record StagedPart(@Nullable String handler, Map<String, String> params) {
  public StagedPart {
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  /** The bytes of UTF-8 of its parameters, names and values. */
  public long bytes() {
    return ParamsLimit.bytesOf(params);
  }
}
