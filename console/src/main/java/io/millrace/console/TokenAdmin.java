package io.millrace.console;

import io.millrace.common.codec.JsonCodec;
import io.millrace.common.time.Clock;
import io.millrace.common.time.DisciplinedClock;
import io.millrace.common.time.SystemClock;
import io.millrace.console.access.ChangeRecord;
import io.millrace.console.access.OperatorTokens;
import io.millrace.console.api.operator.TokenRoutes;
import io.millrace.console.http.Authenticator;
import io.millrace.console.http.Caller;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import java.util.UUID;

/**
 * Issues an operator's token at the database itself, past every tracker: for when nobody has one
 * that may issue tokens. Whoever can do it could write to the database anyway. It is on the audit
 * as done by {@value #OPERATOR}.
 */
public final class TokenAdmin {
  /** Whom the audit names, and the token as its issuer. */
  public static final String OPERATOR = "millrace";

  private static final int CREATED = 201;
  private static final int CONFLICT = 409;

  private TokenAdmin() {}

  /**
   * Issues a token.
   *
   * @param config of a tracker over the database; brought up to date as at that tracker's start
   * @param name of the holder, to which the same applies as over HTTP
   * @param from who asks and where, for the audit
   * @return the token, which is kept nowhere
   * @throws IllegalArgumentException if the name cannot be one
   * @throws IllegalStateException if a token of the name was issued before
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

  /** Who is to hold the token, and who asks for it. */
  private record NewHolder(String name, Role role, String from) {}

  /**
   * A number for ids, of a lease that is over as it begins: so it rests and no tracker takes it,
   * and no tracker takes this for one of its kind and hands it a node group.
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
                TokenRoutes.PATH,
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
