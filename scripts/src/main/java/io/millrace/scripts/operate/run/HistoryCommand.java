package io.millrace.scripts.operate.run;

import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionDetail;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace history}: lists ended executions, or shows one. */
@Command(
    name = "history",
    sortOptions = false,
    description = {
      "Lists how executions ended, and which runs were skipped, newest first.",
      "LATE is the time from due to claimed by a worker; RAN is the run time of the invocation;",
      "RESULT is the bytes of what the job returned, which millrace result prints.",
      "With EXECUTION, shows that one, running or ended, and the steps that are done of its run."
    })
public final class HistoryCommand implements Callable<Integer> {
  private static final Listing<HistoryPage, HistoryItem> LISTING =
      new Listing<>(
          HistoryPage.class,
          HistoryPage::items,
          HistoryPage::next,
          new Table<HistoryItem>()
              .text("EXECUTION", HistoryItem::id)
              .text("ENDED", HistoryItem::finishedAt)
              .text("GROUP", HistoryItem::nodeGroup)
              .text("TASK ID", HistoryItem::taskId)
              .text("PLANNED FOR", HistoryItem::plannedFor)
              .text("STATUS", HistoryItem::status)
              .number("ATTEMPT", HistoryItem::attempt)
              .number("LATE", row -> between(row.dueAt(), row.claimedAt()))
              .number("RAN", row -> between(row.startedAt(), row.finishedAt()))
              .text("WORKER", HistoryItem::workerId)
              .number("RESULT", HistoryItem::resultBytes)
              .text("MESSAGE", HistoryCommand::said));

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "EXECUTION",
      description = "Only this one, in detail.")
  private @Nullable String execution;

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
      names = "--status",
      paramLabel = "STATUS",
      description = "Only those with this outcome: ${COMPLETION-CANDIDATES}.")
  private @Nullable LedgerStatus status;

  @Option(names = "--worker", paramLabel = "ID", description = "Only those of this worker.")
  private @Nullable String worker;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description =
          "Only those claimed, or skipped, at this instant or later. ISO-8601 with Z or an offset.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "INSTANT",
      description = "Only those claimed, or skipped, before this instant.")
  private @Nullable Instant to;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (execution != null) {
      pages
          .operator()
          .look(
              ApiPath.of("executions", execution), ExecutionDetail.class, ExecutionDetails::print);
      return ExitCode.OK;
    }
    ApiPath path =
        ApiPath.of("history")
            .with("group", nodeGroup)
            .with("task", taskId)
            .with("status", status)
            .with("worker", worker)
            .with("from", from)
            .with("to", to);
    return LISTING.show(pages, path);
  }

  private static @Nullable Duration between(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null ? null : Duration.between(from, to);
  }

  private static @Nullable String said(HistoryItem row) {
    return row.message() == null ? row.cause() : row.message();
  }
}
