package io.millrace.console.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.console.access.OperatorTokens.Holder;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.ProblemException;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.ConsoleStores;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tokens and sessions at the moment at which they end, by hand. */
class TokenEndTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration SESSION = Duration.ofHours(12);
  private static final Duration INSTANT = Duration.ofMillis(1);

  private static final Holder BOB = new Holder("bob", Rights.of(Role.VIEW));

  private final TestDatabase database = TestDatabase.h2();
  private final ConsoleStores stores = database.stores().console();
  private final HandTime time = new HandTime();
  private final Clock clock = time.timedExecutor().clock();
  private final IdSequence ids = new IdSequence(1, 0);
  private final ChangeRecord changes = new ChangeRecord(stores.audit(), ids, clock);
  private final AccessRecord access = new AccessRecord(changes, time.timedExecutor());
  private final TokenUses uses = new TokenUses(stores.operators(), clock);
  private final OperatorAuthenticator authenticator =
      new OperatorAuthenticator(stores.operators(), clock, changes, access, uses);
  private final Sessions sessions = new Sessions(stores.operators(), clock, SESSION, access, uses);
  private final OperatorTokens tokens = tokens(TokenLife.UNLIMITED);

  @AfterEach
  void close() {
    database.close();
  }

  private OperatorTokens tokens(TokenLife life) {
    return new OperatorTokens(stores.operators(), ids, clock, life);
  }

  private OperatorTokens.Issued issue(@Nullable Duration life) {
    return tokens.issue(new Holder("ann", Rights.of(Role.OPERATE)), "admin", life);
  }

  private String admit(@Nullable String bearer, @Nullable String session) {
    Credentials sent = new Credentials(bearer, session, null, null, false, "10.0.0.7", "cookie");
    return authenticator.admit(sent, false, Role.VIEW).name();
  }

  private Sessions.Begun signIn(String secret) {
    return sessions.begin(secret, "/api/v1/session", "10.0.0.7");
  }

  private static void assertRefused(ThrowingCallable request, @Nullable String code, String why) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> {
              assertThat(refused.problem().status()).isEqualTo(401);
              assertThat(refused.problem().code()).isEqualTo(code);
              assertThat(refused.problem().detail()).contains(why);
            });
  }

  private String lastInAudit() {
    return stores
        .audit()
        .search(
            new AuditStore.Query(null, "signIn", null),
            AgeOrder.NEWEST_FIRST,
            Long.MAX_VALUE,
            1,
            10)
        .entries()
        .get(0)
        .toString();
  }

  @Test
  void tokenIsRefusedFromItsEndOnAndItsOwnerIsTold() {
    OperatorTokens.Issued issued = issue(DAY);
    Instant end = Instant.ofEpochMilli(time.millis()).plus(DAY);
    time.pass(DAY.minus(INSTANT));
    assertThat(admit(issued.secret(), null)).isEqualTo("ann");

    time.pass(INSTANT);

    String why = "the token ann expired at " + end;
    assertRefused(() -> admit(issued.secret(), null), "TOKEN_EXPIRED", why);
    assertRefused(() -> signIn(issued.secret()), "TOKEN_EXPIRED", why);
    assertRefused(() -> admit("mrt_other", null), null, "unknown or was revoked");
    assertThat(lastInAudit()).contains(why).doesNotContain(issued.secret());
  }

  @Test
  void sessionEndsWithItsTokenIfThatIsEarlier() {
    OperatorTokens.Issued issued = issue(DAY);
    Sessions.Begun whole = signIn(issued.secret());
    assertThat(whole.length()).isEqualTo(SESSION);

    time.pass(DAY.minusHours(1));
    Sessions.Begun shorter = signIn(issued.secret());
    assertThat(shorter.length()).isEqualTo(Duration.ofHours(1));
    assertThat(shorter.expiresAt()).isEqualTo(issued.token().expiresAt());

    time.pass(Duration.ofHours(1).minus(INSTANT));
    assertThat(admit(null, shorter.secret())).isEqualTo("ann");
    time.pass(INSTANT);
    assertRefused(() -> admit(null, shorter.secret()), null, "the session has ended");
  }

  @Test
  void renewedTokenIsValidForAsLongAsBefore() {
    OperatorTokens.Issued first = issue(DAY);
    time.pass(DAY.multipliedBy(10));
    assertRefused(() -> admit(first.secret(), null), "TOKEN_EXPIRED", "ann");

    OperatorTokens.Issued second = tokens.renew("ann", null, null).orElseThrow();

    assertThat(second.token().expiresAt()).isEqualTo(time.millis() + DAY.toMillis());
    assertThat(admit(second.secret(), null)).isEqualTo("ann");
    assertRefused(() -> admit(first.secret(), null), null, "unknown or was revoked");
    time.pass(Duration.ofHours(1));
    Token third = tokens.renew("ann", null, null).orElseThrow().token();
    assertThat(third.expiresAt()).isEqualTo(time.millis() + DAY.toMillis());
    assertThat(stores.operators().findByName("ann")).contains(third);
  }

  @Test
  void renewalEndsAllSessionsButTheOneThatAsksForIt() {
    OperatorTokens.Issued issued = issue(null);
    Sessions.Begun asking = signIn(issued.secret());
    Sessions.Begun other = signIn(issued.secret());

    OperatorTokens.Issued renewed = tokens.renew("ann", DAY, asking.secret()).orElseThrow();

    assertThat(renewed.token().expiresAt()).isEqualTo(time.millis() + DAY.toMillis());
    assertThat(admit(null, asking.secret())).isEqualTo("ann");
    assertRefused(() -> admit(null, other.secret()), null, "the session has ended");
  }

  @Test
  void longestLifeHoldsForTokensThatAreIssuedAndRenewed() {
    OperatorTokens.Issued endless = issue(null);
    OperatorTokens bounded = tokens(new TokenLife(DAY));

    assertThat(endless.token().expiresAt()).isNull();
    Token renewed = bounded.renew("ann", null, null).orElseThrow().token();
    assertThat(renewed.expiresAt()).isEqualTo(time.millis() + DAY.toMillis());
    assertThatThrownBy(() -> bounded.renew("ann", DAY.plus(INSTANT), null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bounded.issue(BOB, "ann", DAY.plus(INSTANT)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(bounded.issue(BOB, "ann", null).token().expiresAt())
        .isEqualTo(time.millis() + DAY.toMillis());
  }

  @Test
  void unknownAndRevokedTokensAreNotRenewed() {
    issue(null);
    assertThat(stores.operators().revoke("ann", time.millis())).isTrue();

    assertThat(tokens.renew("ann", null, null)).isEmpty();
    assertThat(tokens.renew("nobody", null, null)).isEmpty();
  }
}
