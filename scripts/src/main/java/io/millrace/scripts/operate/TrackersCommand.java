package io.millrace.scripts.operate;

import io.millrace.console.api.fleet.TrackerRoutes.TrackerPage;
import io.millrace.console.api.fleet.TrackerRoutes.TrackerSummary;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace trackers}: lists the live trackers. */
@Command(
    name = "trackers",
    sortOptions = false,
    description =
        "Lists the trackers of the database: the live ones, and those that died recently.")
public final class TrackersCommand implements Callable<Integer> {
  private static final Listing<TrackerPage, TrackerSummary> LISTING =
      new Listing<>(
          TrackerPage.class,
          TrackerPage::items,
          TrackerPage::next,
          new Table<TrackerSummary>()
              .number("NUMBER", TrackerSummary::number)
              .text("ADDRESS", TrackerSummary::address)
              .text("ALIVE", TrackerSummary::alive)
              .text("LEASE UNTIL", TrackerSummary::leaseUntil)
              .number("GROUPS", TrackerSummary::groups)
              .number("LEVEL", TrackerSummary::featureLevel)
              .text("PROCESS", TrackerSummary::id));

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    return LISTING.show(pages, ApiPath.of("trackers"));
  }
}
