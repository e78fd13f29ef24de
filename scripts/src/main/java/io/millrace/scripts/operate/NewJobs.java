package io.millrace.scripts.operate;

import io.millrace.common.model.Job;
import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.OverlapPolicy;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.Schedule;
import io.millrace.common.model.TraceContext;
import io.millrace.console.api.job.JobSchedule;
import io.millrace.console.api.job.MisfireRule;
import io.millrace.console.api.job.NewJob;
import io.millrace.console.api.job.OverlapRule;
import io.millrace.console.api.job.RetryRule;
import org.jspecify.annotations.Nullable;

/** Converts jobs to the form of the API. */
final class NewJobs {
  private NewJobs() {}

  /** Converts a job. Leaves out the feedback recipient, which operators cannot set. */
  static NewJob of(Job job) {
    TraceContext trace = job.trace();
    return new NewJob(
        job.nodeGroup(),
        job.taskId(),
        schedule(job.schedule()),
        job.params(),
        job.priority(),
        job.handler(),
        retry(job.retry()),
        job.timeout(),
        overlap(job.overlap()),
        misfire(job.misfire()),
        job.relyOnPrevCycle(),
        job.replaceExisting(),
        trace == null ? null : trace.traceParent(),
        trace == null ? null : trace.traceState(),
        null);
  }

  private static JobSchedule schedule(Schedule schedule) {
    if (schedule instanceof Schedule.Cron cron) {
      return new JobSchedule(
          cron.expression(), cron.zone(), cron.start(), null, null, null, null, cron.end());
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return new JobSchedule(
          null, null, repeat.start(), null, repeat.interval(), null, repeat.times(), repeat.end());
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      return new JobSchedule(
          null, null, delay.start(), null, null, delay.delay(), delay.times(), delay.end());
    }
    Schedule.Once once = (Schedule.Once) schedule;
    return new JobSchedule(null, null, once.at(), once.after(), null, null, null, null);
  }

  private static RetryRule retry(RetryPolicy retry) {
    return new RetryRule(
        retry.maxRetries(),
        retry.firstDelay(),
        retry.maxDelay(),
        retry.multiplier(),
        retry.jitter(),
        retry.nonRetryable());
  }

  private static @Nullable OverlapRule overlap(@Nullable OverlapPolicy policy) {
    if (policy == null) {
      return null;
    }
    boolean queue = policy.kind() == OverlapPolicy.Kind.QUEUE;
    return new OverlapRule(policy.kind(), queue ? (Integer) policy.limit() : null);
  }

  private static @Nullable MisfireRule misfire(@Nullable MisfirePolicy policy) {
    return policy == null
        ? null
        : new MisfireRule(policy.kind(), policy.window(), policy.cap(), policy.afterPause());
  }
}
