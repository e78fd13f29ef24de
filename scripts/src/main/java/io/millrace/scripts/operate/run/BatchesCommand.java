package io.millrace.scripts.operate.run;

import io.millrace.console.api.batch.BatchRoutes.BatchPage;
import io.millrace.console.api.batch.BatchSummary;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace batches}: lists the runs under way that were split into parts. */
@Command(
    name = "batches",
    sortOptions = false,
    description = {
      "Lists runs under way that were split into parts, oldest first.",
      "FAILED counts parts that failed, are dead or were cancelled; FOLLOW those that are released",
      "as others end. See batch ID for the parts."
    })
public final class BatchesCommand implements Callable<Integer> {
  private static final Listing<BatchPage, BatchSummary> LISTING =
      new Listing<>(
          BatchPage.class,
          BatchPage::items,
          BatchPage::next,
          new Table<BatchSummary>()
              .text("BATCH", BatchSummary::id)
              .text("GROUP", BatchSummary::nodeGroup)
              .text("TASK ID", BatchSummary::job)
              .text("KIND", BatchSummary::kind)
              .text("STATE", BatchSummary::state)
              .text("SPLIT", BatchSummary::splitAt)
              .number("PARTS", row -> row.parts().total())
              .number("ENDED", row -> row.parts().ended())
              .number("FAILED", BatchesCommand::failed)
              .number("RUNNING", row -> row.parts().running())
              .number("WAITING", row -> row.parts().waiting())
              .number("FOLLOW", row -> row.parts().unreleased()));

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "GROUP",
      description = "Only those of this node group.")
  private @Nullable String nodeGroup;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    return LISTING.show(pages, ApiPath.of("batches").with("group", nodeGroup));
  }

  private static int failed(BatchSummary row) {
    return row.parts().failed() + row.parts().dead() + row.parts().cancelled();
  }
}
