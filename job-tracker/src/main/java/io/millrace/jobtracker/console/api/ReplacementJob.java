package io.millrace.jobtracker.console.api;

import io.millrace.common.model.Job;
import io.millrace.common.model.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What takes the place of a job, under the names that programs submit jobs with. What is left out
 * is as it is for a new job.
 *
 * @param traceParent the trace that the job is part of, as W3C Trace Context writes it; null for
 *     that of the request's header, if it has one
 * @param submissionId what a resend is known by; null if none will be sent
 */
public record ReplacementJob(
    @Nullable String cron,
    @Nullable ZoneId zone,
    @Nullable Instant at,
    @Nullable Duration after,
    @Nullable Duration every,
    @Nullable Duration fixedDelay,
    @Nullable Long times,
    @Nullable Instant until,
    @Nullable Map<String, String> params,
    @Nullable Integer priority,
    @Nullable String handler,
    @Nullable RetryRule retry,
    @Nullable Duration timeout,
    @Nullable OverlapRule overlap,
    @Nullable MisfireRule misfire,
    @Nullable Boolean relyOnPrevCycle,
    @Nullable String traceParent,
    @Nullable String submissionId) {

  /**
   * The job that it describes; throws a problem if its parts exclude one another.
   *
   * @param replace whether it takes the place of one that lives
   * @param feedback whether a client group is told each trigger's end
   * @param asked the trace of whoever asks, which is the job's unless it names another; null if
   *     none
   */
  Job toJob(
      String group, String task, boolean replace, boolean feedback, @Nullable TraceContext asked) {
    Job.Builder job = Job.builder(group, task).replaceExisting(replace).feedback(feedback);
    Schedules.set(job, schedule());
    if (params != null) {
      job.params(params);
    }
    if (priority != null) {
      job.priority(priority);
    }
    if (handler != null) {
      job.handler(handler);
    }
    if (retry != null) {
      job.retry(retry.toPolicy());
    }
    if (timeout != null) {
      job.timeout(timeout);
    }
    if (overlap != null) {
      job.overlap(overlap.toPolicy());
    }
    if (misfire != null) {
      job.misfire(misfire.toPolicy());
    }
    if (relyOnPrevCycle != null) {
      job.relyOnPrevCycle(relyOnPrevCycle);
    }
    if (traceParent != null) {
      job.traceParent(traceParent);
    } else if (asked != null) {
      job.traceParent(asked.traceParent()).traceState(asked.traceState());
    }
    return Schedules.build(job);
  }

  private JobSchedule schedule() {
    return new JobSchedule(cron, zone, at, after, every, fixedDelay, times, until);
  }
}
