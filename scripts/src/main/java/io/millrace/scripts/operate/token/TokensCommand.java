package io.millrace.scripts.operate.token;

import io.millrace.console.api.operator.TokenRoutes.TokenPage;
import io.millrace.console.api.operator.TokenRoutes.TokenSummary;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.PageOptions;
import io.millrace.scripts.output.Listing;
import io.millrace.scripts.output.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace tokens}: lists the tokens of operators. */
@Command(
    name = "tokens",
    sortOptions = false,
    description =
        "Lists the tokens of operators, including revoked ones; EXPIRES_SOON within 14 days. Needs"
            + " the role ADMIN.")
public final class TokensCommand implements Callable<Integer> {
  private static final Listing<TokenPage, TokenSummary> LISTING =
      new Listing<>(
          TokenPage.class,
          TokenPage::items,
          TokenPage::next,
          new Table<TokenSummary>()
              .text("NAME", TokenSummary::name)
              .text("ROLE", TokenSummary::role)
              .text("NODE GROUPS", TokensCommand::nodeGroups)
              .text("OPERATES", TokensCommand::operates)
              .text("STATE", TokenSummary::state)
              .text("EXPIRES", TokenSummary::expiresAt)
              .text("LAST USED", TokenSummary::lastUsedAt)
              .text("FROM", TokenSummary::lastUsedFrom)
              .text("ISSUED", TokenSummary::createdAt)
              .text("BY", TokenSummary::createdBy)
              .text("RENEWED", TokenSummary::renewedAt)
              .text("REVOKED", TokenSummary::revokedAt));

  @Mixin private PageOptions pages = new PageOptions();

  private static String nodeGroups(TokenSummary token) {
    return token.nodeGroups() == null ? "all" : String.join(",", token.nodeGroups());
  }

  /** The node groups that it may change: of a viewer, those that were named; else, all its own. */
  private static @Nullable String operates(TokenSummary token) {
    if (token.role() != Role.VIEW) {
      return nodeGroups(token);
    }
    return token.operates() == null ? null : String.join(",", token.operates());
  }

  @Override
  public Integer call() throws InterruptedException {
    return LISTING.show(pages, ApiPath.of("tokens"));
  }
}
