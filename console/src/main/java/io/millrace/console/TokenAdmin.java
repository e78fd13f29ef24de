package io.millrace.console;

import io.millrace.console.access.ChangeRecord;
import io.millrace.console.access.OperatorTokens;
import io.millrace.console.access.OperatorTokens.Holder;
import io.millrace.console.access.TokenLife;
import io.millrace.console.api.operator.TokenRoutes;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.api.operator.TokenRoutes.NewToken;
import io.millrace.console.http.Authenticator;
import io.millrace.console.http.Caller;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.DisciplinedClock;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import java.util.UUID;

/**
 * Issues an operator token directly in the database, without a tracker, for when no operator holds
 * a token that may issue others. This grants no new power: the caller can write to the database
 * anyway. The audit records {@value #OPERATOR} as the operator.
 */
public final class TokenAdmin {
  /** The operator that the audit names, and the issuer that the token names. */
  public static final String OPERATOR = "millrace";

  private static final int CREATED = 201;
  private static final int CONFLICT = 409;
  private static final int REJECTED = 422;

  private TokenAdmin() {}

  /**
   * Issues a token.
   *
   * @param config of a tracker on the database; the schema is migrated as when that tracker starts
   * @param wanted the same rules apply as over HTTP
   * @param from who runs the command and where, for the audit
   * @return the token, which is not stored
   * @throws IllegalArgumentException if the name is not valid, or the token may not be valid for so
   *     long
   * @throws IllegalStateException if a token of this name was issued before
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   */
  public static IssuedToken issue(TrackerServerConfig config, NewToken wanted, String from) {
    Holder unused = wanted.holder();
    ConsoleConfig console = config.console();
    TokenLife life = new TokenLife(console == null ? null : console.maxTokenLife());
    try (JdbcStores database = JdbcStores.open(config.tracker().store())) {
      Stores stores = database.stores();
      DisciplinedClock clock = new DisciplinedClock(new SystemClock());
      clock.discipline(stores.time()::databaseNow);
      String self = "token-desk-" + UUID.randomUUID();
      TrackerStore.Tracker number = numberOf(stores.trackers(), self, clock);
      try {
        IdSequence ids = new IdSequence(number.number(), stores.trackers().highestId());
        OperatorTokens tokens = new OperatorTokens(stores.console().operators(), ids, clock, life);
        return issue(tokens, wanted, new ChangeRecord(stores.console().audit(), ids, clock), from);
      } finally {
        stores.trackers().release(number.number(), self);
      }
    }
  }

  /**
   * Acquires a tracker number for ids, with a lease that has expired already. The number rests, so
   * no tracker acquires it. No tracker counts this process as live, so none assigns it a node
   * group.
   */
  private static TrackerStore.Tracker numberOf(TrackerStore trackers, String self, Clock clock) {
    long now = clock.millis();
    return trackers.acquire(self, "", now, now);
  }

  private static IssuedToken issue(
      OperatorTokens tokens, NewToken wanted, ChangeRecord changes, String from) {
    Authenticator.Outcome outcome =
        changes.asked(
            new Caller(OPERATOR, Rights.of(Role.ADMIN), from),
            TokenRoutes.ISSUE,
            TokenRoutes.TOKENS.path(),
            new JsonCodec().encodeText(wanted));
    try {
      OperatorTokens.Issued issued = tokens.issue(wanted.holder(), OPERATOR, wanted.expires());
      outcome.is(CREATED, null);
      return IssuedToken.of(issued);
    } catch (IllegalArgumentException e) {
      outcome.is(REJECTED, e.getMessage());
      throw e;
    } catch (DuplicateKeyException e) {
      String why = OperatorTokens.issuedBefore(wanted.name());
      outcome.is(CONFLICT, why);
      throw new IllegalStateException(why, e);
    }
  }
}
