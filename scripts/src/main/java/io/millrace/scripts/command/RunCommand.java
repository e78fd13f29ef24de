package io.millrace.scripts.command;

import io.millrace.common.model.RunNowResult;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ClientOptions;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.Param;
import io.millrace.scripts.output.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace run}: once more, now. */
@Command(
    name = "run",
    description = {
      "Runs a recurring job once more, as soon as a worker is free, whatever its schedule says and"
          + " also while it is paused.",
      "Returns when the run is stored, not when it has ended. That no such job lives is a failure."
    })
public final class RunCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private JobKey key = new JobKey();

  @Option(
      names = "--param",
      paramLabel = "NAME=VALUE",
      converter = Param.Converter.class,
      description =
          "A parameter for this run; may be repeated. If there is any, they take the place of all"
              + " of the job's own; without any, the run has those.")
  private List<Param> params = new ArrayList<>();

  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Override
  public Integer call() {
    try (JobClient client = clientOptions.connect(ClientOptions.OWN_GROUP)) {
      return report(
          params.isEmpty()
              ? client.runNow(key.nodeGroup(), key.taskId())
              : client.runNow(key.nodeGroup(), key.taskId(), given()));
    }
  }

  private Map<String, String> given() {
    Map<String, String> given = new LinkedHashMap<>();
    params.forEach(param -> given.put(param.name(), param.value()));
    return given;
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
