package io.millrace.scripts.command;

import io.millrace.jobclient.JobClient;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Operator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace resume}: ends the pause of a job. */
@Command(
    name = "resume",
    description = {
      "Resumes a paused job: it fires again.",
      "Fire times during the pause are skipped, unless its --misfire has after-pause. Does"
          + " nothing if the job is not paused; fails if there is no live job with this key."
    })
public final class ResumeCommand extends ClientCommand {

  @Mixin private JobKey key = new JobKey();

  @Override
  int ask(Operator operator) throws InterruptedException {
    return new JobActions(operator, key).resume();
  }

  @Override
  int ask(JobClient client) throws InterruptedException {
    return ChangeReport.of(out(), "RESUMED", key, client.resume(key.nodeGroup(), key.taskId()));
  }
}
