package io.millrace.console.api.job;

import io.millrace.common.model.MisfirePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How missed fire times are handled. Null fields have their defaults.
 *
 * @param kind which missed fire times still run
 * @param window the greatest age of a missed fire time that still runs
 * @param cap the most missed fire times that run; applies to ALL only
 * @param afterPause whether fire times that passed during a pause count as missed
 */
public record MisfireRule(
    MisfirePolicy.Kind kind,
    @Nullable Duration window,
    @Nullable Integer cap,
    @Nullable Boolean afterPause) {

  static MisfireRule of(MisfirePolicy policy) {
    return new MisfireRule(policy.kind(), policy.window(), policy.cap(), policy.afterPause());
  }

  MisfirePolicy toPolicy() {
    return new MisfirePolicy(
        kind,
        window == null ? MisfirePolicy.DEFAULT_WINDOW : window,
        cap == null ? MisfirePolicy.DEFAULT_CAP : cap,
        afterPause != null && afterPause);
  }
}
