package io.millrace.internal.protocol;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one part of a run ended.
 *
 * @param number of the part, from 1
 * @param outcome how it ended
 * @param result what it returned, as JSON; null if nothing
 * @param params its own parameters; null if it has none
 */
public record PartResult(
    int number,
    PartOutcome outcome,
    @Nullable String result,
    @Nullable Map<String, String> params) {
  public PartResult {
    outcome = outcome == null ? PartOutcome.UNKNOWN : outcome;
    params = params == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }
}
