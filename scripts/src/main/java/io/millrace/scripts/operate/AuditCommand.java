package io.millrace.scripts.operate;

import io.millrace.console.api.operator.AuditRoutes.AuditEntry;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace audit}: shows who changed what. */
@Command(
    name = "audit",
    sortOptions = false,
    description = {
      "Lists the changes that operators requested, newest first, with their outcomes.",
      "Use --json to see the details of each request."
    })
public final class AuditCommand implements Callable<Integer> {
  private static final Listing<AuditPage, AuditEntry> LISTING =
      new Listing<>(
          AuditPage.class,
          AuditPage::items,
          AuditPage::next,
          new Table<AuditEntry>()
              .text("AT", AuditEntry::at)
              .text("OPERATOR", AuditEntry::operator)
              .text("ROLE", AuditEntry::role)
              .text("ADDRESS", AuditEntry::address)
              .text("ACTION", AuditEntry::action)
              .text("TARGET", AuditEntry::target)
              .number("STATUS", AuditEntry::status)
              .text("REFUSED BECAUSE", AuditEntry::outcome),
          "before");

  @Option(
      names = "--operator",
      paramLabel = "NAME",
      description = "Only requests made with the token of this name.")
  private @Nullable String operator;

  @Option(
      names = "--action",
      paramLabel = "NAME",
      description = "Only this operation, as named in the OpenAPI document, such as pauseJob.")
  private @Nullable String action;

  @Option(names = "--job", paramLabel = "GROUP/TASKID", description = "Only changes of this job.")
  private @Nullable String job;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws InterruptedException {
    ApiPath path =
        ApiPath.of("audit").with("operator", operator).with("action", action).with("job", job);
    return LISTING.show(pages, path);
  }
}
