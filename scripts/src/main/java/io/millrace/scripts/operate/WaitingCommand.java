package io.millrace.scripts.operate;

import io.millrace.console.api.TriggerSummary;
import io.millrace.console.api.trigger.TriggerRoutes.TriggerPage;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace waiting}: lists the waiting triggers. */
@Command(
    name = "waiting",
    sortOptions = false,
    description =
        "Lists waiting triggers of a node group, including one-shots, in the order in which"
            + " they will run.")
public final class WaitingCommand implements Callable<Integer> {
  private static final Listing<TriggerPage, TriggerSummary> LISTING =
      new Listing<>(
          TriggerPage.class,
          TriggerPage::items,
          TriggerPage::next,
          new Table<TriggerSummary>()
              .text("TASK ID", TriggerSummary::taskId)
              .text("KIND", TriggerSummary::kind)
              .text("STATE", TriggerSummary::state)
              .text("PLANNED FOR", TriggerSummary::plannedFor)
              .number("RUN", row -> row.ordinal() == 0 ? null : row.ordinal())
              .text("DUE", TriggerSummary::dueAt)
              .number("PRIORITY", TriggerSummary::priority)
              .number("ATTEMPT", TriggerSummary::attempt));

  @Parameters(index = "0", paramLabel = "GROUP", description = "The node group.")
  private String nodeGroup = "";

  @Option(names = "--task", paramLabel = "TASKID", description = "Only those of this job.")
  private @Nullable String taskId;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    ApiPath path = ApiPath.of("triggers", nodeGroup).with("task", taskId);
    return LISTING.show(pages, path);
  }
}
