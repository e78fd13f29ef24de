package io.millrace.scripts.operate.bulk;

import io.millrace.console.api.bulk.BulkChangeSummary;
import io.millrace.console.api.bulk.BulkChangeSummary.NotChanged;
import io.millrace.console.api.bulk.BulkFilter;
import io.millrace.console.api.bulk.BulkRoutes.BulkChangePage;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Details;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace bulks}: lists bulk changes and how far they are. */
@Command(
    name = "bulks",
    sortOptions = false,
    description = {
      "Lists bulk changes, newest first, and how far they are.",
      "With ID, shows that one and what could not be changed."
    })
public final class BulksCommand implements Callable<Integer> {
  private static final Listing<BulkChangePage, BulkChangeSummary> LISTING =
      new Listing<>(
          BulkChangePage.class,
          BulkChangePage::items,
          BulkChangePage::next,
          new Table<BulkChangeSummary>()
              .text("ID", BulkChangeSummary::id)
              .text("REQUESTED AT", BulkChangeSummary::requestedAt)
              .text("BY", BulkChangeSummary::requestedBy)
              .text("ACTION", BulkChangeSummary::action)
              .text("OF", change -> filter(change.filter()))
              .text("STATE", BulkChangeSummary::state)
              .number("TOTAL", BulkChangeSummary::total)
              .number("DONE", BulkChangeSummary::done)
              .number("FAILED", BulkChangeSummary::failed));

  private static final Table<NotChanged> FAILURES =
      new Table<NotChanged>()
          .text("NOT CHANGED", NotChanged::name)
          .text("ID", NotChanged::id)
          .text("WHY", NotChanged::why);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "Only this bulk change, in detail.")
  private @Nullable String id;

  @Option(names = "--active", description = "Only those that have not ended.")
  private boolean isActive;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (id == null) {
      return LISTING.show(
          pages, ApiPath.of("bulk-changes").with("active", isActive ? "true" : null));
    }
    pages
        .operator()
        .look(ApiPath.of("bulk-changes", id), BulkChangeSummary.class, BulksCommand::print);
    return ExitCode.OK;
  }

  static void print(BulkChangeSummary change, PrintWriter out) {
    new Details()
        .add("bulk change", change.id())
        .add("action", change.action())
        .add("of", filter(change.filter()))
        .add("reason", change.reason())
        .add("requested by", change.requestedBy())
        .add("requested at", change.requestedAt())
        .add("state", change.state())
        .add("total", change.total())
        .add("done", change.done())
        .add("failed", change.failed())
        .add("ended at", change.endedAt())
        .add("why it ended", change.endReason())
        .print(out);
    if (!change.failures().isEmpty()) {
      FAILURES.on(out).print(change.failures());
    }
  }

  private static String filter(BulkFilter filter) {
    String conditions =
        Stream.of(
                condition("node group", filter.nodeGroup()),
                condition("prefix", filter.prefix()),
                condition("contains", filter.contains()),
                condition("handler", filter.handler()),
                condition("owner", filter.owner()),
                condition("state", filter.state()),
                condition("task", filter.task()),
                condition("worker", filter.worker()),
                condition("from", filter.from()),
                condition("to", filter.to()))
            .filter(Objects::nonNull)
            .collect(Collectors.joining(", "));
    return conditions.isEmpty() ? "everything" : conditions;
  }

  private static @Nullable String condition(String name, @Nullable Object value) {
    return value == null ? null : name + " " + value;
  }
}
