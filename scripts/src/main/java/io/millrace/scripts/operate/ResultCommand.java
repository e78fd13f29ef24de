package io.millrace.scripts.operate;

import io.millrace.console.api.history.ExecutionRoutes.ExecutionDetail;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Cell;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace result}: prints what the job of an execution returned. */
@Command(
    name = "result",
    sortOptions = false,
    description = {
      "Prints the value that a job returned, as JSON. With --json, prints all of its execution."
    })
public final class ResultCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "EXECUTION",
      description = "Id of the execution, as listed by history.")
  private String execution = "";

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    Answer<ExecutionDetail> answer =
        operator.api().get(ApiPath.of("executions", execution), ExecutionDetail.class);
    String result = answer.value().result();
    if (result != null || operator.output().isJson()) {
      operator
          .output()
          .show(answer, (value, out) -> out.println(result == null ? "" : Cell.lines(result)));
      return ExitCode.OK;
    }
    throw new CommandFailedException(
        answer.value().ended() == null
            ? "execution " + execution + " has not ended"
            : "execution " + execution + " returned no value");
  }
}
