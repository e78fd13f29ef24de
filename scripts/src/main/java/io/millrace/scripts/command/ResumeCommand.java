package io.millrace.scripts.command;

import io.millrace.jobclient.JobClient;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Operator;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace resume}: ends the pause of a job. */
@Command(
    name = "resume",
    description = {
      "Resumes a paused job: it fires again.",
      "Fire times during the pause are skipped, unless its --misfire has after-pause. Does"
          + " nothing if the job is not paused; fails if there is no live job with this key."
    })
public final class ResumeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();
  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Override
  public Integer call() throws InterruptedException {
    Optional<Operator> operator = clientOptions.operator(spec);
    if (operator.isPresent()) {
      return new JobActions(operator.get(), key).resume();
    }
    try (JobClient client = clientOptions.connect(ClientOptions.OWN_GROUP)) {
      return ChangeReport.of(spec, "RESUMED", key, client.resume(key.nodeGroup(), key.taskId()));
    }
  }
}
