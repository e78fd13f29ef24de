package io.millrace.scripts.operate.bulk;

import io.millrace.console.api.bulk.BulkChangeSummary;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace bulk-stop}: stops a bulk change. */
@Command(
    name = "bulk-stop",
    sortOptions = false,
    description =
        "Stops a bulk change. What is changed by then stays so. Harmless if it has ended.")
public final class BulkStopCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "ID", description = "The bulk change, as listed by bulks.")
  private String id = "";

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    Answer<BulkChangeSummary> answer =
        operator.api().post(ApiPath.of("bulk-changes", id, "stop"), null, BulkChangeSummary.class);
    operator.output().show(answer, BulksCommand::print);
    return ExitCode.OK;
  }
}
