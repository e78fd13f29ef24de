package io.millrace.console.api.operator;

import io.millrace.console.access.OperatorTokens;
import io.millrace.console.access.OperatorTokens.Holder;
import io.millrace.console.access.TokenUses;
import io.millrace.console.api.Paths;
import io.millrace.console.api.Times;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.ProblemException;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.OperatorStore.Use;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Routes for the tokens of operators. */
public record TokenRoutes(OperatorStore store, OperatorTokens tokens, TokenUses uses, Clock clock) {
  public static final Resource TOKENS = Resource.of("Access", Paths.V1 + "/tokens");

  /** The operation that issues a token, as the audit names it. */
  public static final String ISSUE = "issueToken";

  private static final Param<String> NAME =
      Param.path("name", ParamForm.text(64), "Name of the token");
  private static final Scope FOR_ADMINS = Scope.all("no token with the role ADMIN is limited");
  private static final Resource TOKEN = TOKENS.below("/{name}", NAME);
  private static final Param<Long> AFTER_ID =
      Param.query("after", ParamForm.id(), "The 'next' of the previous page");

  /** How soon a token must expire to be marked. */
  private static final long SOON_MILLIS = Duration.ofDays(14).toMillis();

  /** Whether a token is valid. */
  public enum TokenState {
    VALID,
    /** Valid, and will expire within 14 days. */
    EXPIRES_SOON,
    EXPIRED,
    REVOKED;

    static TokenState of(Token token, long now) {
      if (token.revokedAt() != null) {
        return REVOKED;
      }
      if (token.hasExpired(now)) {
        return EXPIRED;
      }
      return token.hasExpired(now + SOON_MILLIS) ? EXPIRES_SOON : VALID;
    }
  }

  /**
   * A token without its secret, or a person who has signed in through the identity provider.
   *
   * @param person whether it is a person
   * @param renewedAt when it got its present secret; null if that is its first
   * @param expiresAt when it stops being valid by itself; null if never
   * @param nodeGroups the node groups that it is limited to; null if to none
   * @param operates the node groups that a holder of the role VIEW may change; null if none, and
   *     with any other role
   * @param lastUsedAt when it was last used at this tracker; at others, up to a minute later
   * @param lastUsedFrom the address of the client that used it then
   */
  public record TokenSummary(
      String name,
      boolean person,
      Role role,
      TokenState state,
      Instant createdAt,
      String createdBy,
      @Nullable Instant renewedAt,
      @Nullable Instant expiresAt,
      @Nullable Instant revokedAt,
      @Nullable List<String> nodeGroups,
      @Nullable List<String> operates,
      @Nullable Instant lastUsedAt,
      @Nullable String lastUsedFrom) {

    static TokenSummary of(Token token, long now) {
      Use use = token.lastUse();
      return new TokenSummary(
          token.name(),
          token.isPerson(),
          token.rights().role(),
          TokenState.of(token, now),
          Instant.ofEpochMilli(token.createdAt()),
          token.createdBy(),
          Times.instant(token.renewedAt()),
          Times.instant(token.expiresAt()),
          Times.instant(token.revokedAt()),
          token.rights().groups().patterns(),
          token.rights().operates(),
          use == null ? null : Instant.ofEpochMilli(use.at()),
          use == null ? null : use.from());
    }
  }

  /** A page of tokens, oldest first unless another order is named. */
  public record TokenPage(List<TokenSummary> items, @Nullable String next) {}

  /**
   * A request to issue a token.
   *
   * @param expires how long it is to be valid; null for as long as tokens may be
   * @param nodeGroups the node groups that it is limited to: names, or beginnings of names with a
   *     {@code *} behind; null for all node groups
   * @param operates with the role VIEW, the node groups that it may change, written likewise; null
   *     for none
   */
  public record NewToken(
      String name,
      Role role,
      @Nullable Duration expires,
      @Nullable List<String> nodeGroups,
      @Nullable List<String> operates) {

    /**
     * The holder that is meant.
     *
     * @throws IllegalArgumentException if there may be no such token
     */
    public Holder holder() {
      NodeGroups seen = valid("nodeGroups", () -> NodeGroups.of(nodeGroups));
      if (operates == null) {
        return new Holder(name, Rights.of(role, seen));
      }
      Rights rights = valid("operates", () -> new Rights(role, seen, NodeGroups.of(operates)));
      return new Holder(name, rights);
    }

    private static <T> T valid(String field, Supplier<T> value) {
      try {
        return value.get();
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
      }
    }
  }

  /**
   * A request to renew a token.
   *
   * @param expires how long it is to be valid; null for as long as before
   */
  public record TokenRenewal(@Nullable Duration expires) {}

  /**
   * An issued or renewed token.
   *
   * @param token the secret, shown only here
   * @param expiresAt when it stops being valid by itself; null if never
   */
  public record IssuedToken(String name, Role role, String token, @Nullable Instant expiresAt) {

    public static IssuedToken of(OperatorTokens.Issued issued) {
      return new IssuedToken(
          issued.token().name(),
          issued.token().rights().role(),
          issued.secret(),
          Times.instant(issued.token().expiresAt()));
    }
  }

  public List<Route> routes() {
    return List.of(
        TOKENS
            .get("", "listTokens", "Tokens of operators, and persons, including revoked ones")
            .needs(Role.ADMIN)
            .within(FOR_ADMINS)
            .with(Paths.FROM_OLDEST, AFTER_ID, Paths.LIMIT)
            .answers(TokenPage.class, this::list),
        TOKENS
            .post("", ISSUE, "Issues a token, which is shown only this once")
            .needs(Role.ADMIN)
            .within(FOR_ADMINS)
            .takes(NewToken.class)
            .answers(201, IssuedToken.class, this::issue),
        TOKEN
            .post(
                "/renew",
                "renewToken",
                "Gives a token another secret, which is shown only this once, in place of its own;"
                    + " ends its sessions but the one in which this is asked for")
            .needs(Role.ADMIN)
            .within(FOR_ADMINS)
            .mayTake(TokenRenewal.class)
            .answers(IssuedToken.class, this::renew),
        TOKEN
            .post("/restore", "restorePerson", "Lets a person who was revoked sign in again")
            .needs(Role.ADMIN)
            .within(FOR_ADMINS)
            .answersNothing(this::restore),
        TOKEN
            .delete("", "revokeToken", "Revokes a token or a person, and ends their sessions")
            .needs(Role.ADMIN)
            .within(FOR_ADMINS)
            .answersNothing(this::revoke));
  }

  private Object list(Call call) {
    int limit = call.get(Paths.LIMIT);
    AgeOrder order = call.get(Paths.FROM_OLDEST);
    List<Token> page = store.list(order, call.find(AFTER_ID).orElse(Paths.beginning(order)), limit);
    long now = clock.millis();
    return new TokenPage(
        page.stream().map(token -> TokenSummary.of(uses.withLastUse(token), now)).toList(),
        page.size() == limit ? String.valueOf(page.get(limit - 1).id()) : null);
  }

  private Object issue(Call call) {
    NewToken wanted = call.body(NewToken.class);
    try {
      return Reply.created(
          IssuedToken.of(tokens.issue(wanted.holder(), call.caller().name(), wanted.expires())));
    } catch (IllegalArgumentException e) {
      throw Kind.REJECTED.because(String.valueOf(e.getMessage()));
    } catch (DuplicateKeyException e) {
      throw Kind.CONFLICT.because(OperatorTokens.issuedBefore(wanted.name()));
    }
  }

  private Object restore(Call call) {
    if (!store.restore(call.get(NAME))) {
      throw Kind.NOT_FOUND.because("there is no person " + call.get(NAME) + " who was revoked");
    }
    return Reply.nothing();
  }

  private Object renew(Call call) {
    if (store.findByName(call.get(NAME)).filter(Token::isPerson).isPresent()) {
      throw Kind.REJECTED.because(
          call.get(NAME) + " signs in through the identity provider and has no secret to renew");
    }
    try {
      return tokens
          .renew(
              call.get(NAME),
              call.body(TokenRenewal.class).expires(),
              call.credentials().bearer() == null ? call.credentials().session() : null)
          .map(IssuedToken::of)
          .orElseThrow(() -> noSuchToken(call));
    } catch (IllegalArgumentException e) {
      throw Kind.REJECTED.because(String.valueOf(e.getMessage()));
    }
  }

  private static ProblemException noSuchToken(Call call) {
    return Kind.NOT_FOUND.because("there is no token " + call.get(NAME) + " that is not revoked");
  }

  private Object revoke(Call call) {
    if (!store.revoke(call.get(NAME), clock.millis())) {
      throw noSuchToken(call);
    }
    return Reply.nothing();
  }
}
