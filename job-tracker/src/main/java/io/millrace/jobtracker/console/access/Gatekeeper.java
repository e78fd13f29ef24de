package io.millrace.jobtracker.console.access;

import io.millrace.common.time.Clock;
import io.millrace.jobtracker.console.http.Caller;
import io.millrace.jobtracker.console.http.Credentials;
import io.millrace.jobtracker.console.http.Doorkeeper;
import io.millrace.jobtracker.console.http.Problem.Kind;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.AuditStore;
import io.millrace.jobtracker.store.ConsoleStores;
import io.millrace.jobtracker.store.OperatorStore.Session;
import io.millrace.jobtracker.store.OperatorStore.Token;
import io.millrace.jobtracker.store.Role;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets in who brings a good token, or the cookie of a session that was begun with one. A browser
 * sends a cookie with whatever any page makes it send, so a change that comes with one has to bring
 * the session's second secret too, which pages of other sites cannot read. Thread-safe.
 */
public final class Gatekeeper implements Doorkeeper {
  private static final Logger LOG = LoggerFactory.getLogger(Gatekeeper.class);

  private final ConsoleStores stores;
  private final IdSequence ids;
  private final Clock clock;

  public Gatekeeper(ConsoleStores stores, IdSequence ids, Clock clock) {
    this.stores = stores;
    this.ids = ids;
    this.clock = clock;
  }

  @Override
  public Caller admit(Credentials credentials, boolean change, Role needed) {
    Token token =
        credentials.bearer() == null
            ? ofSession(credentials, change)
            : ofBearer(credentials.bearer());
    if (!token.role().allows(needed)) {
      throw Kind.FORBIDDEN.because(
          "this takes the role " + needed + "; the token " + token.name() + " has " + token.role());
    }
    return new Caller(token.name(), token.role(), credentials.address());
  }

  private Token ofBearer(String bearer) {
    return stores
        .operators()
        .findByHash(Secrets.hash(bearer))
        .orElseThrow(() -> Kind.UNAUTHENTICATED.because("the token is not known, or was revoked"));
  }

  private Token ofSession(Credentials credentials, boolean change) {
    String secret = credentials.session();
    if (secret == null) {
      throw Kind.UNAUTHENTICATED.because(
          "send a token in the header Authorization: Bearer, or sign in");
    }
    Session session =
        stores
            .operators()
            .findSession(Secrets.hash(secret), clock.millis())
            .orElseThrow(() -> Kind.UNAUTHENTICATED.because("the session has ended; sign in"));
    if (credentials.crossSite()) {
      throw Kind.FORBIDDEN.because("a page of another site made the request");
    }
    String csrf = credentials.csrf();
    if (change && (csrf == null || !Secrets.same(csrf, Secrets.csrfOf(secret)))) {
      throw Kind.FORBIDDEN.because(
          "a change within a session carries its csrfToken in the header X-CSRF-Token");
    }
    return session.token();
  }

  /** Written before the change is made: what cannot be put on record is not done. */
  @Override
  public Outcome asked(Caller caller, String operation, String target, @Nullable String detail) {
    long now = clock.millis();
    long id = ids.next(now);
    AuditStore audit = stores.audit();
    audit.append(
        new AuditStore.Entry(
            id,
            now,
            caller.name(),
            caller.role(),
            caller.address(),
            operation,
            target,
            detail,
            null,
            null));
    return (status, why) -> conclude(id, status, why);
  }

  /** The change is made or refused by now, and is answered so even if this cannot be written. */
  private void conclude(long id, int status, @Nullable String why) {
    try {
      stores.audit().conclude(id, status, why);
    } catch (RuntimeException e) {
      LOG.warn("audit: the outcome of entry {} could not be written: {}", id, status, e);
    }
  }
}
