package io.millrace.scripts.command;

import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.operate.StatusDetails;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace status}: shows whether a job waits, runs or has ended. */
@Command(
    name = "status",
    description = {
      "Shows whether a job waits, runs or has ended, and how: of what lives under the key, or of"
          + " one submission.",
      "Changes nothing. Fails if nothing is known of the job, or nothing any more."
    })
public final class StatusCommand extends ClientCommand {

  @Option(
      names = "--submission",
      paramLabel = "ID",
      description =
          "The submit, or the run now, to show. Only so a one-shot that has ended is found: its"
              + " task id is free again.")
  private @Nullable String submission;

  @Override
  void ask(JobActions job) throws InterruptedException {
    job.status(submission);
  }

  @Override
  void ask(JobClient client) {
    String nodeGroup = key().nodeGroup();
    String taskId = key().taskId();
    JobStatus status =
        submission == null
            ? client.status(nodeGroup, taskId)
            : client.status(new JobHandle(nodeGroup, taskId, submission));
    StatusDetails.print(status, out());
    StatusDetails.requireKnown(status, submission);
  }
}
