package io.millrace.console.access;

import io.millrace.console.http.Authenticator;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Session;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Role;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests that carry a valid token, or the cookie of a session begun with one. A browser
 * sends the cookie with requests that any page triggers. A change within a session therefore also
 * needs the session's second secret, which pages of other sites cannot read. Thread-safe.
 */
public record OperatorAuthenticator(
    OperatorStore operators, Clock clock, ChangeRecord changes, AccessRecord access, TokenUses uses)
    implements Authenticator {

  @Override
  public Caller admit(Credentials credentials, boolean change, Role needed) {
    Token token =
        credentials.bearer() == null
            ? ofSession(credentials, change)
            : new TokenCheck(operators, clock, access)
                .require(credentials.bearer(), "Authorization: Bearer", credentials.address());
    uses.record(token, credentials.address());
    if (!token.rights().allow(needed)) {
      throw Kind.FORBIDDEN.because(
          "this operation needs the role %s; the token %s has %s"
              .formatted(needed, token.name(), token.rights().role()));
    }
    return new Caller(token.name(), token.rights(), credentials.address());
  }

  private Token ofSession(Credentials credentials, boolean change) {
    String secret = credentials.session();
    if (secret == null) {
      throw Kind.UNAUTHENTICATED.because(
          "send a token in the header Authorization: Bearer, or sign in");
    }
    Session session =
        operators
            .findSession(Secrets.hash(secret), clock.millis())
            .orElseThrow(() -> Kind.UNAUTHENTICATED.because("the session has ended; sign in"));
    if (credentials.crossSite()) {
      throw Kind.FORBIDDEN.because("the request was made by a page of another site");
    }
    String csrf = credentials.csrf();
    if (change && (csrf == null || !Secrets.same(csrf, Secrets.csrfOf(secret)))) {
      throw Kind.FORBIDDEN.because(
          "a change within a session must have its csrfToken in the header X-CSRF-Token");
    }
    return session.token();
  }

  @Override
  public Outcome asked(Caller caller, String operation, String target, @Nullable String detail) {
    return changes.asked(caller, operation, target, detail);
  }
}
