package io.millrace.scripts.operate;

import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.console.api.operator.AuditRoutes.AuditRow;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace audit}: shows who changed what. */
@Command(
    name = "audit",
    sortOptions = false,
    description = {
      "Lists the changes that operators requested, newest first, with their outcomes.",
      "Use --json to see the details of each request."
    })
public final class AuditCommand implements Callable<Integer> {
  private static final Listing<AuditPage, AuditRow> LISTING =
      new Listing<>(
          AuditPage.class,
          AuditPage::items,
          AuditPage::next,
          new Table<AuditRow>()
              .text("AT", AuditRow::at)
              .text("OPERATOR", AuditRow::operator)
              .text("ROLE", AuditRow::role)
              .text("ADDRESS", AuditRow::address)
              .text("ACTION", AuditRow::action)
              .text("TARGET", AuditRow::target)
              .number("STATUS", AuditRow::status)
              .text("REFUSED BECAUSE", AuditRow::outcome),
          "before");

  @Spec private CommandSpec spec = CommandSpec.create();

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

  @Mixin private PageOptions pages = new PageOptions();
  @Mixin private ApiOptions api = new ApiOptions();

  @Override
  public Integer call() throws InterruptedException {
    ApiPath path = ApiPath.of("audit").with("operator", operator).with("action", action);
    return LISTING.show(api.operator(spec), path, pages.pages());
  }
}
