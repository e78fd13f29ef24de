package io.millrace.scripts.operate;

import io.millrace.console.api.version.VersionRoutes.VersionItem;
import io.millrace.console.api.version.VersionRoutes.VersionPage;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.JobKey;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace versions}: shows who stored which versions of a job. */
@Command(
    name = "versions",
    sortOptions = false,
    description = {
      "Lists the versions of a recurring job, latest first, and who stored them.",
      "Use --json to see the definitions."
    })
public final class VersionsCommand implements Callable<Integer> {
  private static final Listing<VersionPage, VersionItem> LISTING =
      new Listing<>(
          VersionPage.class,
          VersionPage::items,
          VersionPage::next,
          new Table<VersionItem>()
              .number("VERSION", VersionItem::version)
              .text("AT", VersionItem::at)
              .text("SOURCE", VersionItem::source)
              .text("BY", VersionItem::by)
              .text("ADDRESS", VersionItem::address)
              .text("CHANGE", version -> version.definition() == null ? "cancelled" : "defined"),
          "before");

  @Mixin private JobKey key = new JobKey();
  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    return LISTING.show(pages, ApiPath.of("jobs", key.nodeGroup(), key.taskId(), "versions"));
  }
}
