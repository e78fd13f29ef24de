package io.millrace.scripts.operate;

import io.millrace.console.api.fleet.WorkerRoutes.WorkerDetail;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerExecution;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerPage;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerSummary;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.operate.run.ExecutionDetails;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Details;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace workers}: lists the workers and their executions. */
@Command(
    name = "workers",
    sortOptions = false,
    description = {
      "Lists workers, as seen a few seconds ago.",
      "With ID, shows that worker and its executions."
    })
public final class WorkersCommand implements Callable<Integer> {
  private static final Listing<WorkerPage, WorkerSummary> LISTING =
      new Listing<>(
          WorkerPage.class,
          WorkerPage::items,
          WorkerPage::next,
          new Table<WorkerSummary>()
              .text("WORKER", WorkerSummary::id)
              .text("GROUP", WorkerSummary::group)
              .text("STATE", WorkersCommand::state)
              .number("SLOTS", WorkersCommand::slots)
              .number("PREFETCHED", WorkerSummary::prefetched)
              .number("HOLDS", WorkerSummary::held)
              .text("LAST PULL", WorkerSummary::lastPull)
              .text("ADDRESS", WorkerSummary::address)
              .number("TRACKER", WorkerSummary::tracker)
              .text("VERSION", WorkerSummary::software));

  private static final Table<WorkerExecution> EXECUTIONS =
      new Table<WorkerExecution>()
          .text("EXECUTION", WorkerExecution::id)
          .text("TASK ID", WorkerExecution::taskId)
          .text("PLANNED FOR", WorkerExecution::plannedFor)
          .number("ATTEMPT", WorkerExecution::attempt)
          .text("DRAWN", WorkerExecution::claimedAt)
          .text("HANDLER", WorkerExecution::handler)
          .text("STOPPING", row -> row.stopRequested() ? true : null)
          .text("PROGRESS", row -> ExecutionDetails.progress(row.progress()));

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "Only this worker, in detail.")
  private @Nullable String worker;

  @Option(
      names = "--node-group",
      paramLabel = "NAME",
      description =
          "Only those of this node group; with ID, the node group if the worker pulls for several.")
  private @Nullable String nodeGroup;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (worker == null) {
      return LISTING.show(pages, ApiPath.of("workers").with("group", nodeGroup));
    }
    pages
        .operator()
        .look(
            ApiPath.of("workers", worker).with("group", nodeGroup),
            WorkerDetail.class,
            WorkersCommand::print);
    return ExitCode.OK;
  }

  private static void print(WorkerDetail detail, PrintWriter out) {
    WorkerSummary row = detail.worker();
    new Details()
        .add("worker", row.id())
        .add("node group", row.group())
        .add("state", state(row))
        .add("slots", slots(row))
        .add("prefetched", row.prefetched())
        .add("holds", row.held())
        .add("last pull", row.lastPull())
        .add("connected since", row.connectedSince())
        .add("address", row.address())
        .add("tracker", row.tracker())
        .add("version", row.software())
        .add("labels", row.labels().isEmpty() ? null : String.join(" ", row.labels()))
        .add("features", row.features().isEmpty() ? null : String.join(" ", row.features()))
        .print(out);
    EXECUTIONS.on(out).print(detail.executing());
    if (detail.more()) {
      out.println("and more: millrace running --worker " + row.id() + " lists all");
    }
  }

  static String state(WorkerSummary row) {
    if (!row.connected()) {
      return "GONE";
    }
    return row.draining() ? "DRAINING" : "PULLING";
  }

  private static @Nullable String slots(WorkerSummary row) {
    return row.slots() == null ? null : row.slotsInUse() + "/" + row.slots();
  }
}
