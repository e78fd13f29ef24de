package io.millrace.scripts.command;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.JobOptions;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.option.OutboxOption;
import io.millrace.scripts.option.PolicyOptions;
import io.millrace.scripts.option.ScheduleOptions;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace submit}: submits one job. */
@Command(
    name = "submit",
    sortOptions = false,
    description = {
      "Submits one job. Without a schedule it runs once, now.",
      "If there is a live job with the same task id, says so and changes nothing; with"
          + " --replace, fails if the existing job could not be replaced."
    })
public final class SubmitCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();
  @Mixin private ScheduleOptions schedule = new ScheduleOptions();
  @Mixin private PolicyOptions policies = new PolicyOptions();
  @Mixin private JobOptions options = new JobOptions();
  @Mixin private OutboxOption outbox = new OutboxOption();

  @Option(
      names = "--client-group",
      paramLabel = "NAME",
      description =
          "Client group that receives feedback: the clients of one application. Needed by"
              + " --feedback.")
  private @Nullable String clientGroup;

  @Override
  public Integer call() throws InterruptedException {
    Job job = job();
    Optional<Operator> operator = outbox.operator(spec, "--client-group", "--feedback");
    if (operator.isPresent()) {
      new JobActions(operator.get(), key).submit(job);
      return ExitCode.OK;
    }
    BadInputException.unless(
        !job.feedback() || clientGroup != null,
        "--feedback needs --client-group, which receives it");
    String group = Objects.requireNonNullElse(clientGroup, ClientOptions.OWN_GROUP);
    try (JobClient client = outbox.connect(group, out())) {
      return report(client.trySubmit(job));
    }
  }

  private Job job() {
    Job.Builder builder = Job.builder(key.nodeGroup(), key.taskId());
    schedule.applyTo(builder);
    policies.applyTo(builder, schedule.isRecurring());
    options.applyTo(builder);
    try {
      return builder.build();
    } catch (IllegalStateException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }

  private int report(SubmitResult result) {
    String line = describe(result);
    if (result.status() == SubmitStatus.REJECTED) {
      RejectReason reason = result.reason();
      throw reason != null && reason.mayPass()
          ? new CommandFailedException(line)
          : new BadInputException(line);
    }
    out().println(line);
    return switch (result.status()) {
      case ACCEPTED, REPLACED, SAVED_LOCALLY -> ExitCode.OK;
      case DUPLICATE -> options.isReplacing() ? ExitCode.FAILED : ExitCode.OK;
      case REJECTED, UNKNOWN -> ExitCode.FAILED;
    };
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private String describe(SubmitResult result) {
    if (result.status() == SubmitStatus.SAVED_LOCALLY) {
      return result.status() + " " + key + ": " + outbox.savedMeans();
    }
    return result.status()
        + " "
        + key
        + (result.reason() == null ? "" : " (" + result.reason() + ")")
        + (result.message() == null ? "" : ": " + result.message());
  }
}
