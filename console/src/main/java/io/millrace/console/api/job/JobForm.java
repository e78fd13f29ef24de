package io.millrace.console.api.job;

import static io.millrace.console.api.job.Schedules.ifGiven;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.TraceContext;
import io.millrace.api.WorkerLossPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a job definition besides its key and schedule, the same for submitting and editing.
 * A missing field has the same default as for programs that submit jobs.
 *
 * @param shards how many parts each run is split into; null if it is not split
 * @param broadcast whether each run is split into one part for each worker
 * @param onWorkerLost what becomes of the part of a worker that is gone; only for a broadcast
 * @param reduce name of the runner that runs after all parts of a run; null for none
 * @param onPartFailure what a failed part means for the others and for the run
 * @param within how long after its split a run may end, with all its parts; null for no limit
 * @param traceParent the trace that the job is part of, in the format of W3C Trace Context; null
 *     for the trace of the request's header, if there is one
 * @param traceState vendor data of that trace
 * @param on labels that a worker must have to run the job, all of them
 * @param stickTo key of the worker that should run it
 */
public record JobForm(
    @Nullable Map<String, String> params,
    @Nullable Integer priority,
    @Nullable String handler,
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfirePolicy misfire,
    @Nullable Boolean relyOnPrevCycle,
    @Nullable Integer shards,
    @Nullable Boolean broadcast,
    @Nullable WorkerLossPolicy onWorkerLost,
    @Nullable String reduce,
    @Nullable PartFailurePolicy onPartFailure,
    @Nullable Duration within,
    @Nullable String traceParent,
    @Nullable String traceState,
    @Nullable List<String> on,
    @Nullable String stickTo) {

  /**
   * Sets the fields and builds the job; throws a problem if they contradict one another.
   *
   * @param asked the trace of the request, used if the job names none; null if none
   */
  Job build(Job.Builder job, @Nullable JobSchedule schedule, @Nullable TraceContext asked) {
    if (schedule != null) {
      Schedules.set(job, schedule);
    }
    ifGiven(params, job::params);
    ifGiven(priority, job::priority);
    ifGiven(handler, job::handler);
    ifGiven(retry, job::retry);
    ifGiven(timeout, job::timeout);
    ifGiven(overlap, rule -> job.overlap(rule.toPolicy()));
    ifGiven(misfire, job::misfire);
    ifGiven(relyOnPrevCycle, job::relyOnPrevCycle);
    ifGiven(shards, job::shards);
    if (Boolean.TRUE.equals(broadcast)) {
      job.broadcast();
    }
    ifGiven(onWorkerLost, job::onWorkerLost);
    ifGiven(reduce, job::reduce);
    ifGiven(onPartFailure, job::onPartFailure);
    ifGiven(within, job::within);
    ifGiven(on, labels -> job.on(labels));
    ifGiven(stickTo, job::stickTo);
    if (traceParent != null) {
      job.traceParent(traceParent).traceState(traceState);
    } else if (asked != null) {
      job.traceParent(asked.traceParent()).traceState(asked.traceState());
    }
    return Schedules.build(job);
  }
}
