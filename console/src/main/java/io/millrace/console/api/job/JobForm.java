package io.millrace.console.api.job;

import io.millrace.common.model.Job;
import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.TraceContext;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a job definition, the same for submitting, editing and viewing. A missing field has
 * the same default as for programs that submit jobs.
 */
interface JobForm {

  @Nullable JobSchedule schedule();

  @Nullable Map<String, String> params();

  @Nullable Integer priority();

  @Nullable String handler();

  @Nullable RetryPolicy retry();

  @Nullable Duration timeout();

  @Nullable OverlapRule overlap();

  @Nullable MisfirePolicy misfire();

  @Nullable Boolean relyOnPrevCycle();

  /** The trace that the job is part of, in the format of W3C Trace Context. */
  @Nullable String traceParent();

  /** Vendor data of that trace. */
  @Nullable String traceState();

  /**
   * Builds the job; throws a problem if its fields contradict one another.
   *
   * @param replace whether it replaces a live job of the same key
   * @param feedback whether a client group is notified of each trigger's end
   * @param asked the trace of the request, used if the job names none; null if none
   */
  default Job toJob(
      String group, String task, boolean replace, boolean feedback, @Nullable TraceContext asked) {
    Job.Builder job = Job.builder(group, task).replaceExisting(replace).feedback(feedback);
    JobSchedule schedule = schedule();
    if (schedule != null) {
      Schedules.set(job, schedule);
    }
    Map<String, String> params = params();
    if (params != null) {
      job.params(params);
    }
    Integer priority = priority();
    if (priority != null) {
      job.priority(priority);
    }
    String handler = handler();
    if (handler != null) {
      job.handler(handler);
    }
    setPolicies(job);
    String traceParent = traceParent();
    if (traceParent != null) {
      job.traceParent(traceParent).traceState(traceState());
    } else if (asked != null) {
      job.traceParent(asked.traceParent()).traceState(asked.traceState());
    }
    return Schedules.build(job);
  }

  private void setPolicies(Job.Builder job) {
    RetryPolicy retry = retry();
    if (retry != null) {
      job.retry(retry);
    }
    Duration timeout = timeout();
    if (timeout != null) {
      job.timeout(timeout);
    }
    OverlapRule overlap = overlap();
    if (overlap != null) {
      job.overlap(overlap.toPolicy());
    }
    MisfirePolicy misfire = misfire();
    if (misfire != null) {
      job.misfire(misfire);
    }
    Boolean rely = relyOnPrevCycle();
    if (rely != null) {
      job.relyOnPrevCycle(rely);
    }
  }
}
