package io.millrace.console;

import io.millrace.console.access.ChangeRecord;
import io.millrace.console.access.OperatorTokens;
import io.millrace.console.api.operator.TokenRoutes;
import io.millrace.console.http.Authenticator;
import io.millrace.console.http.Caller;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.DisciplinedClock;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
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

  private TokenAdmin() {}

  /**
   * Issues a token.
   *
   * @param config of a tracker on the database; the schema is migrated as when that tracker starts
   * @param name of the holder; the same rules apply as over HTTP
   * @param from who runs the command and where, for the audit
   * @return the token, which is not stored
   * @throws IllegalArgumentException if the name is not valid
   * @throws IllegalStateException if a token of this name was issued before
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   */
  public static String issue(JobTrackerConfig config, String name, Role role, String from) {
    OperatorTokens.requireName(name);
    try (JdbcStores database = JdbcStores.open(config.store())) {
      Stores stores = database.stores();
      DisciplinedClock clock = new DisciplinedClock(new SystemClock());
      clock.discipline(stores.time()::databaseNow);
      String self = "token-desk-" + UUID.randomUUID();
      TrackerStore.Tracker number = numberOf(stores.trackers(), self, clock);
      try {
        IdSequence ids = new IdSequence(number.number(), stores.trackers().highestId());
        return issue(stores, ids, clock, new NewHolder(name, role, from));
      } finally {
        stores.trackers().release(number.number(), self);
      }
    }
  }

  /** The holder of the token to issue, and who asks for it. */
  private record NewHolder(String name, Role role, String from) {}

  /**
   * Acquires a tracker number for ids, with a lease that has expired already. The number rests, so
   * no tracker acquires it. No tracker counts this process as live, so none assigns it a node
   * group.
   */
  private static TrackerStore.Tracker numberOf(TrackerStore trackers, String self, Clock clock) {
    long now = clock.millis();
    return trackers.acquire(self, "", now, now);
  }

  private static String issue(Stores stores, IdSequence ids, Clock clock, NewHolder holder) {
    Authenticator.Outcome outcome =
        new ChangeRecord(stores.console().audit(), ids, clock)
            .asked(
                new Caller(OPERATOR, Role.ADMIN, holder.from()),
                TokenRoutes.ISSUE,
                TokenRoutes.TOKENS.path(),
                new JsonCodec().encodeText(new TokenRoutes.NewToken(holder.name(), holder.role())));
    try {
      String token =
          new OperatorTokens(stores.console().operators(), ids, clock)
              .issue(holder.name(), holder.role(), OPERATOR)
              .secret();
      outcome.is(CREATED, null);
      return token;
    } catch (DuplicateKeyException e) {
      String why = OperatorTokens.issuedBefore(holder.name());
      outcome.is(CONFLICT, why);
      throw new IllegalStateException(why, e);
    }
  }
}
