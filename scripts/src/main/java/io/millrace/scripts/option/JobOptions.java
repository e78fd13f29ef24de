package io.millrace.scripts.option;

import io.millrace.common.model.Job;
import io.millrace.scripts.option.convert.DurationConverter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the parameters and the handling of a job. The tracker checks their values. */
public final class JobOptions {

  @Option(
      names = "--param",
      paramLabel = "NAME=VALUE",
      converter = Param.Converter.class,
      description = "A parameter for the job; may be repeated.")
  private List<Param> params = new ArrayList<>();

  @Option(
      names = "--priority",
      paramLabel = "N",
      defaultValue = "" + Job.DEFAULT_PRIORITY,
      description = "0 to 255, lower runs first. Default: ${DEFAULT-VALUE}.")
  private int priority = Job.DEFAULT_PRIORITY;

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      description = "Name of the handler that runs the job; otherwise the worker's only one.")
  private @Nullable String handler;

  @Option(
      names = "--retry",
      paramLabel = "N",
      description = "How many attempts may follow a failed one. 0 means at most once. Default: 3.")
  private @Nullable Integer retries;

  @Option(
      names = "--timeout",
      paramLabel = "DUR",
      converter = DurationConverter.class,
      description =
          "How long one attempt may run before it is interrupted and counts as failed."
              + " Default: as long as it likes.")
  private @Nullable Duration timeout;

  @Option(
      names = "--replace",
      description = "Replace a living job of the same task id; otherwise it is left as it is.")
  private boolean replace;

  @Option(
      names = "--feedback",
      description = "Tell the client group the end of each run; needs --client-group.")
  private boolean feedback;

  @Option(
      names = "--trace-parent",
      paramLabel = "TEXT",
      description =
          "The trace that the job is part of, as the header traceparent of W3C Trace Context has it.")
  private @Nullable String traceParent;

  /** Applies the options to the job. */
  public void applyTo(Job.Builder job) {
    params.forEach(param -> job.param(param.name(), param.value()));
    job.priority(priority).replaceExisting(replace).feedback(feedback).traceParent(traceParent);
    if (handler != null) {
      job.handler(handler);
    }
    if (retries != null) {
      job.retry(retries);
    }
    if (timeout != null) {
      job.timeout(timeout);
    }
  }

  /** Returns whether a live job with the same task id is replaced. */
  public boolean isReplacing() {
    return replace;
  }
}
