package io.millrace.console.api.operator;

import io.millrace.console.access.OperatorTokens;
import io.millrace.console.api.Paths;
import io.millrace.console.api.Times;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes for the tokens of operators. */
public record TokenRoutes(OperatorStore store, OperatorTokens tokens, Clock clock) {
  public static final Resource TOKENS = Resource.of("Access", Paths.V1 + "/tokens");

  /** The operation that issues a token, as the audit names it. */
  public static final String ISSUE = "issueToken";

  private static final Param<String> NAME =
      Param.path("name", ParamForm.text(64), "Name of the token");
  private static final Param<Long> AFTER_ID =
      Param.query("after", ParamForm.id(), 0L, "The 'next' of the previous page");

  /** A token without its secret. */
  public record TokenSummary(
      String name, Role role, Instant createdAt, String createdBy, @Nullable Instant revokedAt) {}

  /** A page of tokens, oldest first. */
  public record TokenPage(List<TokenSummary> items, @Nullable String next) {}

  /** A request to issue a token. */
  public record NewToken(String name, Role role) {}

  /**
   * An issued token.
   *
   * @param token the secret, shown only here
   */
  public record IssuedToken(String name, Role role, String token) {}

  public List<Route> routes() {
    return List.of(
        TOKENS
            .get("", "listTokens", "Tokens of operators, including revoked ones")
            .needs(Role.ADMIN)
            .with(AFTER_ID, Paths.LIMIT)
            .answers(TokenPage.class, this::list),
        TOKENS
            .post("", ISSUE, "Issues a token, which is shown only this once")
            .needs(Role.ADMIN)
            .takes(NewToken.class)
            .answers(201, IssuedToken.class, this::issue),
        TOKENS
            .below("/{name}", NAME)
            .delete("", "revokeToken", "Revokes a token and ends its sessions")
            .needs(Role.ADMIN)
            .answersNothing(this::revoke));
  }

  private Object list(Call call) {
    int limit = call.get(Paths.LIMIT);
    List<Token> page = store.list(call.get(AFTER_ID), limit);
    return new TokenPage(
        page.stream().map(TokenRoutes::summary).toList(),
        page.size() == limit ? String.valueOf(page.get(limit - 1).id()) : null);
  }

  private static TokenSummary summary(Token token) {
    return new TokenSummary(
        token.name(),
        token.role(),
        Instant.ofEpochMilli(token.createdAt()),
        token.createdBy(),
        Times.instant(token.revokedAt()));
  }

  private Object issue(Call call) {
    NewToken wanted = call.body(NewToken.class);
    try {
      OperatorTokens.requireName(wanted.name());
    } catch (IllegalArgumentException e) {
      throw Kind.REJECTED.because(String.valueOf(e.getMessage()));
    }
    try {
      OperatorTokens.Issued issued =
          tokens.issue(wanted.name(), wanted.role(), call.caller().name());
      return Reply.created(
          new IssuedToken(issued.token().name(), issued.token().role(), issued.secret()));
    } catch (DuplicateKeyException e) {
      throw Kind.CONFLICT.because(OperatorTokens.issuedBefore(wanted.name()));
    }
  }

  private Object revoke(Call call) {
    if (!store.revoke(call.get(NAME), clock.millis())) {
      throw Kind.NOT_FOUND.because("there is no valid token " + call.get(NAME));
    }
    return Reply.nothing();
  }
}
