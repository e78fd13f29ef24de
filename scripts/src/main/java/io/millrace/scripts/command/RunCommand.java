package io.millrace.scripts.command;

import io.millrace.common.model.RunNowResult;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.JobActions;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.option.ParamOption;
import io.millrace.scripts.output.Cell;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace run}: runs a job once more, now. */
@Command(
    name = "run",
    description = {
      "Runs a recurring job once more, as soon as a worker is free, in addition to its"
          + " schedule, even if it is paused.",
      "Returns when the run is stored, not when it has ended. Fails if there is no live job"
          + " with this key."
    })
public final class RunCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();

  @Mixin private ParamOption params = new ParamOption();
  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> given = params.given();
    Optional<Operator> operator = clientOptions.operator(spec);
    if (operator.isPresent()) {
      return new JobActions(operator.get(), key).run(given);
    }
    try (JobClient client = clientOptions.connect(ClientOptions.OWN_GROUP)) {
      return report(
          given == null
              ? client.runNow(key.nodeGroup(), key.taskId())
              : client.runNow(key.nodeGroup(), key.taskId(), given));
    }
  }

  private int report(RunNowResult result) {
    if (!result.isAccepted()) {
      throw new CommandFailedException(
          ChangeReport.refusal(result.status(), key, result.message()));
    }
    spec.commandLine()
        .getOut()
        .printf(
            "ACCEPTED %s, extra run %d: %s%n", key, result.ordinal(), Cell.line(result.message()));
    return ExitCode.OK;
  }
}
