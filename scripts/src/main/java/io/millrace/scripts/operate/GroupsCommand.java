package io.millrace.scripts.operate;

import io.millrace.console.api.fleet.GroupRoutes.GroupPage;
import io.millrace.console.api.fleet.GroupRoutes.GroupSummary;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Counted;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace groups}: shows what waits in each node group and which nodes serve it. */
@Command(
    name = "groups",
    sortOptions = false,
    description = {
      "Lists node groups: their trackers and their waiting and running work, as counted a few"
          + " seconds ago.",
      "BACKLOG is the number of due triggers; a + after it means that there may be more."
    })
public final class GroupsCommand implements Callable<Integer> {
  private static final Listing<GroupPage, GroupSummary> LISTING =
      new Listing<>(
          GroupPage.class,
          GroupPage::items,
          GroupPage::next,
          new Table<GroupSummary>()
              .text("GROUP", GroupSummary::name)
              .number("TRACKER", GroupSummary::owner)
              .text("ADDRESS", GroupSummary::address)
              .number("BACKLOG", GroupsCommand::backlog)
              .text("OLDEST DUE", GroupSummary::oldestDue)
              .text("NEXT DUE", GroupSummary::nextDue)
              .number("WORKERS", GroupSummary::workers)
              .number("DRAINING", GroupSummary::draining)
              .number("SLOTS", row -> row.slotsInUse() + "/" + row.slots())
              .number("EXECUTING", GroupSummary::executing)
              .text("COUNTED", GroupSummary::countedAt));

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    return LISTING.show(pages, ApiPath.of("groups"));
  }

  private static @Nullable String backlog(GroupSummary row) {
    return row.countedAt() == null ? null : Counted.of(row.backlog(), row.atLeast());
  }
}
