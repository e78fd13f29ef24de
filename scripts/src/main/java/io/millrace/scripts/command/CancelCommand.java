package io.millrace.scripts.command;

import io.millrace.api.CancelResult;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.operate.JobLines;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.option.OutboxOption;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace cancel}: cancels a job. */
@Command(
    name = "cancel",
    description = {
      "Cancels a job: waiting triggers will not run, and running executions are asked to stop.",
      "Fails if there is no live job with this key."
    })
public final class CancelCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();
  @Mixin private OutboxOption outbox = new OutboxOption();

  @Override
  public Integer call() throws InterruptedException {
    Optional<Operator> operator = outbox.operator(spec);
    if (operator.isPresent()) {
      new JobActions(operator.get(), key).cancel();
      return ExitCode.OK;
    }
    PrintWriter out = spec.commandLine().getOut();
    try (JobClient client = outbox.connect(ClientOptions.OWN_GROUP, out)) {
      CancelResult result = client.cancel(key.nodeGroup(), key.taskId());
      if (result.savedLocally()) {
        out.println("SAVED_LOCALLY " + key + ": " + outbox.savedMeans());
        return ExitCode.OK;
      }
      if (!result.found()) {
        throw new CommandFailedException("there is no live job " + key);
      }
      out.println(JobLines.cancelled(key, result.cancelledTriggers(), result.running()));
      return ExitCode.OK;
    }
  }
}
