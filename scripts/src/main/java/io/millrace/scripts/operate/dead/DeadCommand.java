package io.millrace.scripts.operate.dead;

import io.millrace.console.api.dead.DeadRoutes.DeadAttempt;
import io.millrace.console.api.dead.DeadRoutes.DeadDetail;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.dead.DeadTriggerSummary;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.operate.run.ExecutionDetails;
import io.millrace.scripts.option.DeadOptions;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Cell;
import io.millrace.scripts.output.Details;
import io.millrace.scripts.output.JobParams;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace dead}: lists dead triggers, which Millrace does not retry. */
@Command(
    name = "dead",
    sortOptions = false,
    description = {
      "Lists triggers that ended DEAD, newest first.",
      "With ID, shows that one, its attempts, its parameters, and the steps that a replay finds"
          + " done. See replay and discard."
    })
public final class DeadCommand implements Callable<Integer> {
  private static final Listing<DeadPage, DeadTriggerSummary> LISTING =
      new Listing<>(
          DeadPage.class,
          DeadPage::items,
          DeadPage::next,
          new Table<DeadTriggerSummary>()
              .text("ID", DeadTriggerSummary::id)
              .text("DIED", DeadTriggerSummary::diedAt)
              .text("GROUP", DeadTriggerSummary::nodeGroup)
              .text("TASK ID", DeadTriggerSummary::taskId)
              .text("PLANNED FOR", DeadTriggerSummary::plannedFor)
              .number("ATTEMPTS", DeadTriggerSummary::attempts)
              .text("STATE", DeadTriggerSummary::state)
              .text("CAUSE", DeadTriggerSummary::cause));

  private static final Table<DeadAttempt> ATTEMPTS =
      new Table<DeadAttempt>()
          .text("EXECUTION", DeadAttempt::executionId)
          .number("ATTEMPT", DeadAttempt::attempt)
          .text("STATUS", DeadAttempt::status)
          .text("STARTED", DeadAttempt::startedAt)
          .text("ENDED", DeadAttempt::finishedAt)
          .text("WORKER", DeadAttempt::workerId)
          .text("MESSAGE", row -> row.message() == null ? row.cause() : row.message());

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "Only this one, in detail.")
  private @Nullable String id;

  @Mixin private DeadOptions which = new DeadOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only those in this state: ${COMPLETION-CANDIDATES}. OPEN means neither replayed"
              + " nor discarded.")
  private @Nullable DeadState state;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (id == null) {
      ApiPath path =
          ApiPath.of("dead")
              .with("nodeGroup", which.nodeGroup())
              .with("taskId", which.prefix())
              .with("state", state)
              .with("from", which.from())
              .with("to", which.to());
      return LISTING.show(pages, path);
    }
    pages.operator().look(ApiPath.of("dead", id), DeadDetail.class, DeadCommand::print);
    return ExitCode.OK;
  }

  private static void print(DeadDetail dead, PrintWriter out) {
    DeadTriggerSummary row = dead.trigger();
    Details details =
        new Details()
            .add("dead trigger", row.id())
            .add("job", row.nodeGroup() + "/" + row.taskId())
            .add("recurring", row.recurring())
            .add("planned for", row.plannedFor())
            .add("extra run", row.ordinal() == 0 ? null : row.ordinal())
            .add("died", row.diedAt())
            .add("cause", row.cause())
            .add("message", dead.message())
            .add("worker", dead.workerId())
            .add("handler", dead.handler())
            .add("parameters", dead.params() == null ? null : JobParams.of(dead.params()))
            .add("replay of", row.replayOf())
            .add("parts", row.parts())
            .add("state", state(row))
            .add("replayed as", row.replayId())
            .add("the replay ended", dead.replayStatus());
    ExecutionDetails.addCheckpoint(details, dead.kept()).print(out);
    ATTEMPTS.on(out).print(dead.attempts());
    ExecutionDetails.printSteps(dead.kept(), out);
  }

  private static String state(DeadTriggerSummary row) {
    return row.settledAt() == null
        ? row.state().name()
        : row.state() + " by " + row.settledBy() + " at " + Cell.of(row.settledAt());
  }
}
