package io.millrace.scripts.command;

import io.millrace.api.RunNowResult;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.operate.JobLines;
import io.millrace.scripts.option.ParamOption;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace run}: runs a job once more, now. */
@Command(
    name = "run",
    description = {
      "Runs a recurring job once more, as soon as a worker is free, in addition to its"
          + " schedule, even if it is paused.",
      "Returns when the run is stored, not when it has ended. Fails if there is no live job"
          + " with this key."
    })
public final class RunCommand extends ClientCommand {

  @Mixin private ParamOption params = new ParamOption();

  @Override
  void ask(JobActions job) throws InterruptedException {
    job.run(params.given());
  }

  @Override
  void ask(JobClient client) throws InterruptedException {
    Map<String, String> given = params.given();
    report(
        given == null
            ? client.runNow(key().nodeGroup(), key().taskId())
            : client.runNow(key().nodeGroup(), key().taskId(), given));
  }

  private void report(RunNowResult result) {
    if (!result.isAccepted()) {
      throw new CommandFailedException(
          ChangeReport.refusal(result.status(), key(), result.message()));
    }
    out().println(JobLines.extraRun(key(), result.ordinal(), result.message()));
  }
}
