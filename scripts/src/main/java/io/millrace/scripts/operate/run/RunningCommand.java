package io.millrace.scripts.operate.run;

import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.console.api.history.ExecutionSummary;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace running}: lists the running executions. */
@Command(
    name = "running",
    sortOptions = false,
    description = {
      "Lists running executions, oldest first.",
      "PROGRESS is what their jobs said a few seconds ago. See history EXECUTION for their steps.",
      "A run that was split shows how many of its parts have ended; see batch EXECUTION for these."
    })
public final class RunningCommand implements Callable<Integer> {
  private static final Listing<ExecutionPage, ExecutionSummary> LISTING =
      new Listing<>(
          ExecutionPage.class,
          ExecutionPage::items,
          ExecutionPage::next,
          new Table<ExecutionSummary>()
              .text("EXECUTION", ExecutionSummary::id)
              .text("GROUP", ExecutionSummary::nodeGroup)
              .text("TASK ID", RunningCommand::task)
              .number("PART", row -> ExecutionDetails.number(row.part()))
              .text("PLANNED FOR", ExecutionSummary::plannedFor)
              .number("ATTEMPT", row -> row.attempt() + "/" + row.maxAttempts())
              .text("DRAWN", ExecutionSummary::claimedAt)
              .text("WORKER", row -> row.parts() == null ? row.workerId() : null)
              .text("HANDLER", ExecutionSummary::handler)
              .text("STOPPING", row -> row.stopRequested() ? true : null)
              .text("PROGRESS", ExecutionDetails::progress));

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description = "Only those of this node group.")
  private @Nullable String nodeGroup;

  @Option(
      names = "--task",
      paramLabel = "TASKID",
      description = "Only those of this job; needs --node-group.")
  private @Nullable String taskId;

  @Option(
      names = "--worker",
      paramLabel = "ID",
      description = "Only those of this worker; not with --task.")
  private @Nullable String worker;

  @Mixin private PageOptions pages = new PageOptions();

  private static String task(ExecutionSummary row) {
    return row.part() == null ? row.taskId() : row.part().taskId();
  }

  @Override
  public Integer call() throws InterruptedException {
    ApiPath path =
        ApiPath.of("executions")
            .with("group", nodeGroup)
            .with("task", taskId)
            .with("worker", worker);
    return LISTING.show(pages, path);
  }
}
