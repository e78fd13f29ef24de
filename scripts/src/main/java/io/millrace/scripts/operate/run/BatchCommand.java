package io.millrace.scripts.operate.run;

import io.millrace.console.api.batch.BatchRoutes.BatchDetail;
import io.millrace.console.api.batch.BatchRoutes.PartPage;
import io.millrace.console.api.batch.BatchSummary;
import io.millrace.console.api.batch.PartCondition;
import io.millrace.console.api.batch.PartSummary;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Cell;
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

/** {@code millrace batch}: shows one run that was split, or its parts. */
@Command(
    name = "batch",
    sortOptions = false,
    description = {
      "Shows a run that was split into parts, under way or ended.",
      "With --parts, lists the parts: those that run, then those that wait, then those that have",
      "ended, the latest first. Parts that are to follow are not listed."
    })
public final class BatchCommand implements Callable<Integer> {
  private static final Listing<PartPage, PartSummary> LISTING =
      new Listing<>(
          PartPage.class,
          PartPage::items,
          PartPage::next,
          new Table<PartSummary>()
              .number("PART", BatchCommand::number)
              .text("STATE", PartSummary::state)
              .number("ATTEMPT", PartSummary::attempt)
              .text("DUE", PartSummary::dueAt)
              .text("DRAWN", PartSummary::claimedAt)
              .text("ENDED", PartSummary::finishedAt)
              .text("WORKER", PartSummary::workerId)
              .text("EXECUTION", PartSummary::execution)
              .text("STOPPING", row -> row.stopRequested() ? true : null)
              .text("PROGRESS", row -> ExecutionDetails.progress(row.progress()))
              .text("MESSAGE", row -> row.message() == null ? row.cause() : row.message()));

  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "Id of the batch, which is that of its run.")
  private String id = "";

  @Option(names = "--parts", description = "List the parts.")
  private boolean parts;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "List the parts in this state only: ${COMPLETION-CANDIDATES}.")
  private @Nullable PartCondition state;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (parts || state != null) {
      return LISTING.show(pages, ApiPath.of("batches", id, "parts").with("state", state));
    }
    pages.operator().look(ApiPath.of("batches", id), BatchDetail.class, BatchCommand::print);
    return ExitCode.OK;
  }

  private static String number(PartSummary row) {
    return row.lastNumber() == null ? "" + row.number() : row.number() + "-" + row.lastNumber();
  }

  private static void print(BatchDetail detail, PrintWriter out) {
    BatchSummary batch = detail.batch();
    new Details()
        .add("batch", batch.id())
        .add("job", batch.nodeGroup() + "/" + batch.job())
        .add("part of batch", batch.parent())
        .add("state", batch.state())
        .add("kind", batch.kind())
        .add("stopping", batch.stop())
        .add("terminated by", batch.terminatedBy())
        .add("parts", BatchLines.counts(batch.parts()) + (detail.isCut() ? ", at least" : ""))
        .add("ends", BatchLines.ends(batch.parts()))
        .add("planned for", batch.plannedFor())
        .add("split", batch.splitAt())
        .add("split by", batch.workerId())
        .add("deadline", batch.deadline())
        .add("if a part fails", batch.onPartFailure())
        .add("reduce", batch.reduce())
        .add("handler", batch.handler())
        .add("submitted by", batch.submittedBy())
        .add("its run", ended(detail))
        .print(out);
  }

  private static @Nullable String ended(BatchDetail detail) {
    return detail.ended() == null
        ? null
        : "%s at %s%s"
            .formatted(
                detail.ended().status(),
                Cell.of(detail.ended().finishedAt()),
                detail.ended().cause() == null ? "" : ": " + detail.ended().cause());
  }
}
