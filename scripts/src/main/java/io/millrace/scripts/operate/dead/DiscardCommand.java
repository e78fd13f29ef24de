package io.millrace.scripts.operate.dead;

import io.millrace.console.api.dead.DeadTriggerSummary;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.Operator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace discard}: discards dead triggers. */
@Command(
    name = "discard",
    sortOptions = false,
    description =
        "Discards dead triggers, so that they are no longer listed as OPEN. Fails if one of"
            + " them has been replayed; a discarded one can still be replayed.")
public final class DiscardCommand implements Callable<Integer> {

  @Parameters(
      index = "0..*",
      arity = "1..*",
      paramLabel = "ID",
      description = "Ids of dead triggers, as listed by dead.")
  private List<String> ids = List.of();

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    Operator operator = api.operator();
    for (String id : ids) {
      operator
          .output()
          .show(
              operator
                  .api()
                  .post(ApiPath.of("dead", id, "discard"), null, DeadTriggerSummary.class),
              (row, out) ->
                  out.println(
                      row.state() + " " + row.id() + ": " + row.nodeGroup() + "/" + row.taskId()));
    }
    return ExitCode.OK;
  }
}
