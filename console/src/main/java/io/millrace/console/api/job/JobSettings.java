package io.millrace.console.api.job;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.domain.trigger.SplitRules;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Duration;
import java.util.List;
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
 * @param broadcast whether each run is split into one part for each worker
 * @param onWorkerLost what becomes of the part of a worker that is gone; null if it is no broadcast
 * @param reduce name of the runner that runs after all parts of a run; null for none
 * @param onPartFailure what a failed part means; null if nothing is said of parts but their number
 * @param within how long after its split a run may end, with all its parts; null for no limit
 * @param on labels that a worker must have to run it, all of them
 * @param stickTo key of the worker that should run it; null for any
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
    @Nullable Integer shards,
    boolean broadcast,
    @Nullable WorkerLossPolicy onWorkerLost,
    @Nullable String reduce,
    @Nullable PartFailurePolicy onPartFailure,
    @Nullable Duration within,
    List<String> on,
    @Nullable String stickTo) {
  private static final JsonCodec CODEC = new JsonCodec();

  static JobSettings ofOneShot(StoredParams params, int priority, TriggerSpec spec) {
    return of(decoded(params), priority, spec, null, null, false);
  }

  /** How a recurring job runs. */
  public static JobSettings ofRecurring(
      StoredParams params, int priority, TriggerSpec spec, Schedule schedule) {
    return of(
        decoded(params),
        priority,
        spec,
        OverlapRule.of(spec.overlapPolicy()),
        spec.misfirePolicy(),
        spec.chained() && !(schedule instanceof Schedule.FixedDelay));
  }

  /**
   * Decodes parameters. Empty if there are none, or if large ones were not kept or were deleted
   * with their row in the meantime.
   */
  private static Map<String, String> decoded(StoredParams params) {
    return params.json() == null ? Map.of() : CODEC.decodeStrings(params.json());
  }

  private static JobSettings of(
      Map<String, String> params,
      int priority,
      TriggerSpec spec,
      @Nullable OverlapRule overlap,
      @Nullable MisfirePolicy misfire,
      boolean relyOnPrevCycle) {
    SplitRules split = spec.split();
    return new JobSettings(
        params,
        priority,
        spec.handler(),
        spec.retry(),
        spec.timeout(),
        overlap,
        misfire,
        relyOnPrevCycle,
        spec.shards(),
        spec.isBroadcast(),
        split == null ? null : split.onWorkerLost(),
        split == null ? null : split.reduce(),
        split == null ? null : split.onPartFailure(),
        split == null ? null : split.within(),
        spec.laneOrPlain().ofConfiguration(),
        spec.stickTo());
  }
}
