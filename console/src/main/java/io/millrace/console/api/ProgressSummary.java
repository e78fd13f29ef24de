package io.millrace.console.api;

import io.millrace.internal.protocol.ExecutionProgress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far an execution has come, as its job says.
 *
 * @param done how much is done, in units of the job
 * @param total how much there is to do; 0 if that is unknown
 * @param at when the job said so, by the worker's clock
 */
public record ProgressSummary(long done, long total, @Nullable String message, Instant at) {

  public static ProgressSummary of(ExecutionProgress progress) {
    return new ProgressSummary(
        progress.done(), progress.total(), progress.message(), progress.at());
  }
}
