package io.millrace.scripts.command;

import io.millrace.jobclient.JobClient;
import io.millrace.scripts.operate.JobActions;
import picocli.CommandLine.Command;

/** {@code millrace resume}: ends the pause of a job. */
@Command(
    name = "resume",
    description = {
      "Resumes a paused job: it fires again.",
      "Fire times during the pause are skipped, unless its --misfire has after-pause. Does"
          + " nothing if the job is not paused; fails if there is no live job with this key."
    })
public final class ResumeCommand extends ClientCommand {

  @Override
  void ask(JobActions job) throws InterruptedException {
    job.resume();
  }

  @Override
  void ask(JobClient client) throws InterruptedException {
    ChangeReport.of(out(), "RESUMED", key(), client.resume(key().nodeGroup(), key().taskId()));
  }
}
