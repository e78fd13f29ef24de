package io.millrace.console.api.job;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a job runs, as it is shown.
 *
 * @param handler name of its runner; null for the worker's only runner
 * @param timeout the longest time an attempt may run; null for no limit
 * @param overlap null for a one-shot
 * @param misfire null for a one-shot
 * @param relyOnPrevCycle whether the next trigger is generated only after the previous run ends;
 *     false for a fixed delay, which implies it
 * @param shards how many parts each run is split into; null if it is not split
 */
public record JobSettings(
    Map<String, String> params,
    int priority,
    @Nullable String handler,
    RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfirePolicy misfire,
    boolean relyOnPrevCycle,
    @Nullable Integer shards) {

  static JobSettings ofOneShot(Map<String, String> params, int priority, TriggerSpec spec) {
    return new JobSettings(
        params,
        priority,
        spec.handler(),
        spec.retry(),
        spec.timeout(),
        null,
        null,
        false,
        spec.shards());
  }

  static JobSettings ofRecurring(
      Map<String, String> params, int priority, TriggerSpec spec, boolean relyOnPrevCycle) {
    return new JobSettings(
        params,
        priority,
        spec.handler(),
        spec.retry(),
        spec.timeout(),
        OverlapRule.of(spec.overlapPolicy()),
        spec.misfirePolicy(),
        relyOnPrevCycle,
        spec.shards());
  }
}
