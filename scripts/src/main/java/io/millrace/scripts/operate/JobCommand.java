package io.millrace.scripts.operate;

import io.millrace.api.MisfirePolicy;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.TriggerSummary;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobOrigin;
import io.millrace.console.api.job.JobPause;
import io.millrace.console.api.job.JobProgress;
import io.millrace.console.api.job.JobSettings;
import io.millrace.console.api.job.OverlapRule;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Details;
import io.millrace.scripts.output.JobParams;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace job}: shows the details of one job. */
@Command(
    name = "job",
    sortOptions = false,
    description = "Shows all details of a job; of a one-shot only while it is live.")
public final class JobCommand implements Callable<Integer> {

  @Mixin private JobKey key = new JobKey();
  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    api.operator()
        .look(
            ApiPath.of("jobs", key.nodeGroup(), key.taskId()), JobDetail.class, JobCommand::print);
    return ExitCode.OK;
  }

  private static void print(JobDetail job, PrintWriter out) {
    JobSettings settings = job.settings();
    JobOrigin origin = job.origin();
    JobProgress progress = job.progress();
    new Details()
        .add("job", job.nodeGroup() + "/" + job.taskId())
        .add("id", job.id())
        .add("state", job.state())
        .add("paused", paused(progress.pause()))
        .add("schedule", job.scheduleInWords())
        .add("next fire time", progress.nextFireAt())
        .add("does not fire again", progress.exhausted() ? true : null)
        .add("next trigger", next(progress.nextTrigger()))
        .add("last end", last(progress.lastEnd()))
        .add("executing", progress.executing())
        .add("running", progress.running())
        .add("queued", progress.queued())
        .add("handler", settings.handler())
        .add("labels", labels(job))
        .add("sticks to", settings.stickTo())
        .add("parameters", JobParams.of(settings.params()))
        .add("priority", settings.priority())
        .add("retries", settings.retry().maxRetries())
        .add("time-out", settings.timeout())
        .add("overlap", overlap(settings.overlap()))
        .add("misfire", misfire(settings.misfire()))
        .add("relies on its previous cycle", settings.relyOnPrevCycle() ? true : null)
        .add("shards", settings.shards())
        .add("broadcast", settings.broadcast() ? "one part for each worker" : null)
        .add("if a worker is gone", settings.onWorkerLost())
        .add("reduce", settings.reduce())
        .add("if a part fails", settings.onPartFailure())
        .add("all parts within", settings.within())
        .add("feedback to", origin.feedback() ? origin.clientGroup() : null)
        .add("version", job.version())
        .add("accepted", origin.acceptedAt())
        .add("submitted by", origin.submittedBy())
        .add("declared by", declared(job.declared()))
        .add("trace parent", origin.traceParent())
        .add("generated until", progress.generatedUntil())
        .add("generates next", progress.generateAt())
        .print(out);
  }

  private static @Nullable String labels(JobDetail job) {
    List<String> required = job.settings().on();
    if (required.isEmpty()) {
      return null;
    }
    List<String> lacked = job.labelsNobodyHas();
    return String.join(" ", required)
        + (lacked.isEmpty() ? "" : ", and no worker has " + String.join(" ", lacked));
  }

  private static @Nullable String paused(@Nullable JobPause pause) {
    return pause == null
        ? null
        : "by "
            + pause.by()
            + " at "
            + Cell.of(pause.at())
            + (pause.reason() == null ? "" : ": " + pause.reason());
  }

  private static @Nullable String declared(JobDetail.@Nullable Declared declared) {
    if (declared == null) {
      return null;
    }
    String revision = declared.revision() == null ? "" : ", revision " + declared.revision();
    return declared.retiredAt() == null
        ? declared.owner() + revision
        : declared.owner() + ", retired at " + Cell.of(declared.retiredAt());
  }

  private static @Nullable String next(@Nullable TriggerSummary trigger) {
    return trigger == null
        ? null
        : trigger.state()
            + ", planned for "
            + Cell.of(trigger.plannedFor())
            + ", attempt "
            + trigger.attempt()
            + (trigger.dueAt() == null ? "" : ", due " + Cell.of(trigger.dueAt()));
  }

  private static @Nullable String last(@Nullable HistoryItem end) {
    return end == null
        ? null
        : end.status()
            + " at "
            + Cell.of(end.finishedAt())
            + (end.message() == null ? "" : ": " + end.message());
  }

  private static @Nullable String overlap(@Nullable OverlapRule rule) {
    if (rule == null) {
      return null;
    }
    return rule.kind() + (rule.limit() == null ? "" : ", at most " + rule.limit());
  }

  private static @Nullable String misfire(@Nullable MisfirePolicy policy) {
    return policy == null
        ? null
        : policy.kind()
            + ", window "
            + Cell.of(policy.window())
            + ", at most "
            + policy.cap()
            + (policy.afterPause() ? ", after a pause too" : "");
  }
}
