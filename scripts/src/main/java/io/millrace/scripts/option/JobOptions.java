package io.millrace.scripts.option;

import io.millrace.api.Job;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.scripts.BadInputException;
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
      description = "A parameter of the job; can be repeated.")
  private List<Param> params = new ArrayList<>();

  @Option(
      names = "--priority",
      paramLabel = "N",
      defaultValue = "" + Job.DEFAULT_PRIORITY,
      description = "0 to 255; lower numbers run first. Default: ${DEFAULT-VALUE}.")
  private int priority = Job.DEFAULT_PRIORITY;

  @Option(
      names = "--handler",
      paramLabel = "NAME",
      description = "Name of the handler that runs the job. Default: the worker's only one.")
  private @Nullable String handler;

  @Option(
      names = "--retry",
      paramLabel = "N",
      description = "How many attempts may follow a failed one. 0 means at most once. Default: 3.")
  private @Nullable Integer retries;

  @Option(
      names = "--timeout",
      paramLabel = "DUR",
      description =
          "How long one attempt may run before it is interrupted and counts as failed."
              + " Default: no limit.")
  private @Nullable Duration timeout;

  @Option(
      names = "--shards",
      paramLabel = "N",
      description =
          "Split each run into N parts, 1 to "
              + Job.MAX_SHARDS
              + ", each of which runs the handler. Default: one run, not split.")
  private @Nullable Integer shards;

  @Option(
      names = "--broadcast",
      description = "Split each run into one part for each worker, which runs the handler there.")
  private boolean broadcast;

  @Option(
      names = "--on-worker-lost",
      paramLabel = "POLICY",
      description =
          "What becomes of the part of a worker that is gone; only with --broadcast: skip, or dead"
              + " (the run fails). Default: skip.")
  private @Nullable WorkerLossPolicy onWorkerLost;

  @Option(
      names = "--reduce",
      paramLabel = "NAME",
      description = "Name of the handler that runs once after all parts of a run. Default: none.")
  private @Nullable String reduce;

  @Option(
      names = "--on-part-failure",
      paramLabel = "POLICY",
      description =
          "What a failed part means: finish (the others run, but no reduce), stop (it stops the"
              + " others), or ignore (the reduce runs all the same). Default: finish.")
  private @Nullable PartFailurePolicy onPartFailure;

  @Option(
      names = "--within",
      paramLabel = "DUR",
      description =
          "How long after its split a run may end, with all its parts. Default: no limit.")
  private @Nullable Duration within;

  @Option(
      names = "--on",
      paramLabel = "LABEL",
      description =
          "Only workers with this label run the job; can be repeated: they must have all of them.")
  private List<String> labels = new ArrayList<>();

  @Option(
      names = "--stick-to",
      paramLabel = "KEY",
      description = "Jobs of one key run on the same worker, as long as it has free slots.")
  private @Nullable String stickTo;

  @Option(
      names = "--replace",
      description = "Replace a live job with the same task id, instead of leaving it unchanged.")
  private boolean replace;

  @Option(
      names = "--feedback",
      description = "Send the result of each run to the client group; needs --client-group.")
  private boolean feedback;

  @Option(
      names = "--trace-parent",
      paramLabel = "TEXT",
      description =
          "Trace context of the job, in the format of the header traceparent of W3C Trace Context.")
  private @Nullable String traceParent;

  /**
   * Applies the options to the job.
   *
   * @throws BadInputException if the number of shards is not allowed
   */
  public void applyTo(Job.Builder job) {
    params.forEach(param -> job.param(param.name(), param.value()));
    job.priority(priority).replaceExisting(replace).feedback(feedback).traceParent(traceParent);
    job.on(labels);
    if (stickTo != null) {
      job.stickTo(stickTo);
    }
    if (handler != null) {
      job.handler(handler);
    }
    if (retries != null) {
      job.retry(retries);
    }
    if (timeout != null) {
      job.timeout(timeout);
    }
    if (shards != null) {
      BadInputException.unless(
          shards >= 1 && shards <= Job.MAX_SHARDS,
          "--shards: %d is not between 1 and %d".formatted(shards, Job.MAX_SHARDS));
      job.shards(shards);
    }
    if (broadcast) {
      job.broadcast();
    }
    if (onWorkerLost != null) {
      job.onWorkerLost(onWorkerLost);
    }
    if (reduce != null) {
      job.reduce(reduce);
    }
    if (onPartFailure != null) {
      job.onPartFailure(onPartFailure);
    }
    if (within != null) {
      job.within(within);
    }
  }

  /** Returns whether a live job with the same task id is replaced. */
  public boolean isReplacing() {
    return replace;
  }
}
