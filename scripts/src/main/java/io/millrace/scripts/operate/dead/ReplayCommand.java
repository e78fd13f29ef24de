package io.millrace.scripts.operate.dead;

import io.millrace.scripts.BadInputException;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.DeadOptions;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.option.ParamOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace replay}: runs dead triggers again. */
@Command(
    name = "replay",
    sortOptions = false,
    description = {
      "Runs dead triggers again, each once and as a new trigger: those with these ids, or all"
          + " OPEN ones that match the options, oldest first.",
      "Returns when the new triggers are stored, not when they have run. Fails if one of them"
          + " could not be replayed, after replaying the others."
    })
public final class ReplayCommand implements Callable<Integer> {

  @Parameters(
      index = "0..*",
      arity = "0..*",
      paramLabel = "ID",
      description = "Ids of dead triggers, as listed by dead.")
  private List<String> ids = List.of();

  @Mixin private DeadOptions which = new DeadOptions();
  @Mixin private ParamOption params = new ParamOption();

  @Option(
      names = "--keep-succeeded",
      description =
          "Of runs that were split: run only the parts that have not succeeded, and keep the"
              + " results of the others. Not together with --param.")
  private boolean keepSucceeded;

  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    BadInputException.unless(
        ids.isEmpty() == which.isGiven(),
        "give either ids, or at least one of --node-group, --prefix, --from and --to");
    BadInputException.unless(
        !keepSucceeded || params.given() == null,
        "--param cannot be combined with --keep-succeeded: what succeeded had the former ones");
    Operator operator = api.operator();
    Replays replays = new Replays(operator, params.given(), keepSucceeded);
    if (ids.isEmpty()) {
      replays.ofAll(which);
    } else {
      replays.of(ids);
    }
    return ExitCode.OK;
  }
}
