package io.millrace.scripts.command;

import io.millrace.api.TerminateResult;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.operate.JobLines;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace terminate}: terminates running executions of a job. */
@Command(
    name = "terminate",
    description = {
      "Terminates the running executions of a job: they are interrupted, and no attempt follows.",
      "Waiting triggers of the job are not changed. Fails if no execution is running."
    })
public final class TerminateCommand extends ClientCommand {

  @Option(
      names = "--execution",
      paramLabel = "ID",
      description = "Only this execution. Default: all running executions of the job.")
  private @Nullable Long executionId;

  @Override
  void ask(JobActions job) throws InterruptedException {
    job.terminate(executionId);
  }

  @Override
  void ask(JobClient client) throws InterruptedException {
    TerminateResult result =
        executionId == null
            ? client.terminate(key().nodeGroup(), key().taskId())
            : client.terminate(key().nodeGroup(), key().taskId(), executionId);
    if (result.running() == 0) {
      throw new CommandFailedException(what() + " is running");
    }
    out().println(JobLines.terminated(key(), result.running()));
  }

  private String what() {
    return "no execution " + (executionId == null ? "" : executionId + " ") + "of " + key();
  }
}
