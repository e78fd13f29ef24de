package io.millrace.console.api.job;

import io.millrace.common.model.MisfirePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of fire times that were missed. What is left out is as it is by default.
 *
 * @param kind which of them run after all
 * @param window how old one may be and still run
 * @param cap how many run at most; counts for ALL
 * @param afterPause whether those that passed during a pause count as missed
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
