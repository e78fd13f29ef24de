package io.millrace.scripts.operate;

import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.TriggerRow;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobPause;
import io.millrace.console.api.job.MisfireRule;
import io.millrace.console.api.job.OverlapRule;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Details;
import io.millrace.scripts.output.JobParams;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace job}: shows the details of one job. */
@Command(
    name = "job",
    sortOptions = false,
    description = "Shows all details of a job; of a one-shot only while it is live.")
public final class JobCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();
  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    api.operator(spec)
        .look(
            ApiPath.of("jobs", key.nodeGroup(), key.taskId()), JobDetail.class, JobCommand::print);
    return ExitCode.OK;
  }

  private static void print(JobDetail job, PrintWriter out) {
    new Details()
        .add("job", job.nodeGroup() + "/" + job.taskId())
        .add("id", job.id())
        .add("state", job.state())
        .add("paused", paused(job.pause()))
        .add("schedule", job.scheduleInWords())
        .add("next fire time", job.nextFireAt())
        .add("does not fire again", job.exhausted() ? true : null)
        .add("next trigger", next(job.nextTrigger()))
        .add("last end", last(job.lastEnd()))
        .add("executing", job.executing())
        .add("running", job.running())
        .add("queued", job.queued())
        .add("handler", job.handler())
        .add("parameters", JobParams.of(job.params()))
        .add("priority", job.priority())
        .add("retries", job.retry().maxRetries())
        .add("time-out", job.timeout())
        .add("overlap", overlap(job.overlap()))
        .add("misfire", misfire(job.misfire()))
        .add("relies on its previous cycle", job.relyOnPrevCycle() ? true : null)
        .add("feedback to", job.feedback() ? job.clientGroup() : null)
        .add("version", job.version())
        .add("accepted", job.acceptedAt())
        .add("submitted by", job.submittedBy())
        .add("trace parent", job.traceParent())
        .add("generated until", job.generatedUntil())
        .add("generates next", job.generateAt())
        .print(out);
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

  private static @Nullable String next(@Nullable TriggerRow trigger) {
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

  private static @Nullable String misfire(@Nullable MisfireRule rule) {
    if (rule == null) {
      return null;
    }
    return rule.kind()
        + (rule.window() == null ? "" : ", window " + Cell.of(rule.window()))
        + (rule.cap() == null ? "" : ", at most " + rule.cap())
        + (Boolean.TRUE.equals(rule.afterPause()) ? ", after a pause too" : "");
  }
}
