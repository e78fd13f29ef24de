package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.OperatorStore.Renewal;
import io.millrace.jobtracker.store.console.OperatorStore.Session;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.OperatorStore.Use;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorStoreContractTest extends StoreContract {
  private static final AtomicLong IDS = new AtomicLong();
  private static final long NOW = 1_000_000;

  private OperatorStore operators;

  @BeforeEach
  void open() {
    operators = stores.console().operators();
  }

  private static Token token(Role role) {
    long id = IDS.incrementAndGet();
    return Token.issued(id, "name-" + id, Rights.of(role), NOW, "admin", null);
  }

  private static String hashOf(Token token) {
    return "hash of " + token.name();
  }

  private Token issued() {
    Token token = token(Role.OPERATE);
    operators.issue(token, hashOf(token));
    return token;
  }

  @Test
  void aTokenIsFoundByItsHash() {
    Token token = issued();

    assertThat(operators.findByHash(hashOf(token))).contains(token);
    assertThat(operators.findByHash("another hash")).isEmpty();
    assertThat(operators.list(token.id() - 1, 1)).containsExactly(token);
  }

  @Test
  void aNameStandsForOneTokenForEver() {
    Token token = issued();
    assertThat(operators.revoke(token.name(), NOW + 1)).isTrue();

    Token again =
        Token.issued(
            IDS.incrementAndGet(), token.name(), Rights.of(Role.ADMIN), NOW, "admin", null);
    assertThatThrownBy(() -> operators.issue(again, "a new hash"))
        .isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  void onlyTheFirstTokenIsIssuedAsTheFirst() {
    Token before = issued();
    Token first = token(Role.ADMIN);

    assertThat(operators.issueFirst(first, hashOf(first))).isFalse();
    assertThat(operators.findByHash(hashOf(first))).isEmpty();
    assertThat(operators.findByHash(hashOf(before))).isPresent();
  }

  private void begin(String secret, Session session, long now) {
    assertThat(operators.beginSession(secret, session, now)).isTrue();
  }

  @Test
  void aRevokedTokenIsGoodForNothingAndStaysListed() {
    Token token = issued();
    begin("session of " + token.name(), new Session(token, NOW + 100), NOW);

    assertThat(operators.revoke(token.name(), NOW + 1)).isTrue();

    assertThat(operators.revoke(token.name(), NOW + 2)).isFalse();
    assertThat(operators.revoke("nobody", NOW)).isFalse();
    assertThat(operators.findByHash(hashOf(token))).isEmpty();
    assertThat(operators.findSession("session of " + token.name(), NOW + 1)).isEmpty();
    assertThat(operators.list(token.id() - 1, 1))
        .extracting(Token::revokedAt)
        .containsExactly(NOW + 1);
  }

  @Test
  void aSessionEndsByItselfOrWhenItIsEnded() {
    Token token = issued();
    Session session = new Session(token, NOW + 100);
    String secret = "session of " + token.name();
    begin(secret, session, NOW);

    assertThat(operators.findSession(secret, NOW + 99)).contains(session);
    assertThat(operators.findSession(secret, NOW + 100)).isEmpty();
    operators.endSession(secret);
    operators.endSession(secret);
    assertThat(operators.findSession(secret, NOW)).isEmpty();
  }

  @Test
  void whoeverBeginsASessionClearsAwayThoseThatHaveExpired() {
    Token token = issued();
    begin("old " + token.name(), new Session(token, NOW + 10), NOW);

    begin("new " + token.name(), new Session(token, NOW + 100), NOW + 20);

    assertThat(operators.findSession("old " + token.name(), NOW)).isEmpty();
    assertThat(operators.findSession("new " + token.name(), NOW + 20)).isPresent();
  }

  @Test
  void noSessionBeginsWithASecretThatWasReplacedMeanwhile() {
    Token read = issued();
    String secret = "session of " + read.name();
    assertThat(operators.renew(read.name(), new Renewal("new " + read.name(), NOW + 5, null), null))
        .isTrue();

    assertThat(operators.beginSession(secret, new Session(read, NOW + 100), NOW + 6)).isFalse();
    assertThat(operators.findSession(secret, NOW + 6)).isEmpty();

    Token renewed = operators.findByName(read.name()).orElseThrow();
    assertThat(operators.beginSession(secret, new Session(renewed, NOW + 100), NOW + 7)).isTrue();
    assertThat(operators.revoke(read.name(), NOW + 8)).isTrue();
    assertThat(operators.beginSession("late " + secret, new Session(renewed, NOW + 100), NOW + 9))
        .isFalse();
  }

  private Token expiring(long at) {
    long id = IDS.incrementAndGet();
    Token token = Token.issued(id, "name-" + id, Rights.of(Role.VIEW), NOW, "admin", at);
    operators.issue(token, hashOf(token));
    return token;
  }

  @Test
  void aTokenThatHasExpiredIsFoundWithItsEnd() {
    Token token = expiring(NOW + 10);

    assertThat(operators.findByHash(hashOf(token))).contains(token);
    assertThat(operators.findByName(token.name())).contains(token);
    assertThat(token.hasExpired(NOW + 9)).isFalse();
    assertThat(token.hasExpired(NOW + 10)).isTrue();
  }

  /** An older tracker begins sessions that last beyond the end of their token. */
  @Test
  void aSessionEndsWithItsToken() {
    Token token = expiring(NOW + 10);
    Session session = new Session(token, NOW + 100);
    begin("session of " + token.name(), session, NOW);

    assertThat(operators.findSession("session of " + token.name(), NOW + 9)).contains(session);
    assertThat(operators.findSession("session of " + token.name(), NOW + 10)).isEmpty();
  }

  @Test
  void aRenewedTokenHasItsNewSecretOnly() {
    Token token = expiring(NOW + 10);
    Token other = issued();
    for (Token each : List.of(token, other)) {
      begin("session of " + each.name(), new Session(each, NOW + 9), NOW);
    }
    begin("kept " + token.name(), new Session(token, NOW + 9), NOW);

    assertThat(
            operators.renew(
                token.name(),
                new Renewal("new " + token.name(), NOW + 5, NOW + 50),
                "kept " + token.name()))
        .isTrue();

    Token renewed = operators.findByHash("new " + token.name()).orElseThrow();
    assertThat(renewed)
        .isEqualTo(
            new Token(
                token.id(),
                token.name(),
                Rights.of(Role.VIEW),
                NOW,
                "admin",
                null,
                NOW + 5,
                NOW + 50,
                null,
                null));
    assertThat(operators.findByHash(hashOf(token))).isEmpty();
    assertThat(operators.findSession("session of " + token.name(), NOW + 5)).isEmpty();
    assertThat(operators.findSession("kept " + token.name(), NOW + 5)).isPresent();
    assertThat(operators.findSession("session of " + other.name(), NOW + 5)).isPresent();

    assertThat(operators.renew(token.name(), new Renewal("newer", NOW + 6, null), null)).isTrue();
    assertThat(operators.findSession("kept " + token.name(), NOW + 5)).isEmpty();
    assertThat(operators.findByHash("newer").orElseThrow().expiresAt()).isNull();
  }

  @Test
  void whatWasRevokedOrIsUnknownIsNotRenewed() {
    Token token = issued();
    assertThat(operators.revoke(token.name(), NOW)).isTrue();

    Renewal renewal = new Renewal("never", NOW + 1, null);
    assertThat(operators.renew(token.name(), renewal, null)).isFalse();
    assertThat(operators.renew("nobody", renewal, null)).isFalse();
    assertThat(operators.findByName(token.name())).isEmpty();
    assertThat(operators.findByHash("never")).isEmpty();
  }

  /** Each tracker records the uses that it saw, in any order. */
  @Test
  void theLatestUseIsRecorded() {
    Token token = issued();
    operators.used(token.id(), new Use(NOW + 20, "10.0.0.2"));
    operators.used(token.id(), new Use(NOW + 10, "10.0.0.1"));
    assertThat(operators.findByName(token.name()))
        .contains(token.lastUsed(new Use(NOW + 20, "10.0.0.2")));

    operators.used(token.id(), new Use(NOW + 30, "x".repeat(100)));
    assertThat(operators.findByName(token.name()))
        .contains(token.lastUsed(new Use(NOW + 30, "x".repeat(64))));
  }

  @Test
  void aTokenIsLimitedToItsNodeGroups() {
    NodeGroups groups = NodeGroups.of(List.of("orders", "billing-*"));
    Token token = token(Role.OPERATE).with(Rights.of(Role.OPERATE, groups));
    operators.issue(token, hashOf(token));
    begin("session of " + token.name(), new Session(token, NOW + 9), NOW);

    assertThat(operators.findByHash(hashOf(token))).contains(token);
    assertThat(operators.findSession("session of " + token.name(), NOW).orElseThrow().token())
        .isEqualTo(token);
    assertThat(operators.renew(token.name(), new Renewal("limited", NOW, null), null)).isTrue();
    assertThat(operators.findByHash("limited").orElseThrow().rights().groups()).isEqualTo(groups);
  }

  private static Token person(String name, String identity, Role role, NodeGroups groups) {
    return person(name, identity, Rights.of(role, groups));
  }

  private static Token person(String name, String identity, Rights rights) {
    return Token.ofPerson(IDS.incrementAndGet(), name, identity, rights, NOW);
  }

  @Test
  void aPersonIsStoredOnce() {
    Token first = person("oidc:ann", "identity of ann", Role.VIEW, NodeGroups.ALL);
    Token again = person("oidc:ann.b", "identity of ann", Role.VIEW, NodeGroups.ALL);

    assertThat(operators.admit(first, "hash 1 of ann")).contains(first);
    assertThat(operators.admit(again, "hash 2 of ann")).contains(first);

    assertThat(operators.findByName("oidc:ann")).contains(first);
    assertThat(operators.findByName("oidc:ann.b")).isEmpty();
  }

  @Test
  void theNameOfAnotherIsNotTaken() {
    Token one = person("oidc:bob", "identity of bob", Role.VIEW, NodeGroups.ALL);
    Token other = person("oidc:bob", "another identity", Role.ADMIN, NodeGroups.ALL);
    assertThat(operators.admit(one, "hash 1 of bob")).isPresent();

    assertThatThrownBy(() -> operators.admit(other, "hash 2 of bob"))
        .isInstanceOf(DuplicateKeyException.class);
    assertThat(operators.findByName("oidc:bob")).contains(one);
  }

  @Test
  void sessionsOfAPersonEndWhenWhatHeMayDoChanges() {
    Token viewer = person("oidc:cid", "identity of cid", Role.VIEW, NodeGroups.ALL);
    assertThat(operators.admit(viewer, "hash of cid")).isPresent();
    Session session = new Session(viewer, NOW + 100);
    begin("session of cid", session, NOW);

    assertThat(operators.admit(viewer, "hash of cid")).isPresent();
    assertThat(operators.findSession("session of cid", NOW)).contains(session);

    NodeGroups orders = NodeGroups.of(List.of("orders"));
    assertThat(
            operators.admit(
                person("oidc:cid", "identity of cid", Role.OPERATE, orders), "hash of cid"))
        .contains(viewer.with(Rights.of(Role.OPERATE, orders)));
    assertThat(operators.findSession("session of cid", NOW)).isEmpty();
    assertThat(operators.findByName("oidc:cid"))
        .contains(viewer.with(Rights.of(Role.OPERATE, orders)));
  }

  private static final Rights VIEWER_WHO_OPERATES_ORDERS =
      new Rights(Role.VIEW, NodeGroups.ALL, NodeGroups.of(List.of("orders", "billing-*")));

  @Test
  void theNodeGroupsThatAViewerOperatesAreKept() {
    Token token = token(Role.VIEW).with(VIEWER_WHO_OPERATES_ORDERS);
    operators.issue(token, hashOf(token));
    begin("session of " + token.name(), new Session(token, NOW + 9), NOW);

    assertThat(operators.findByHash(hashOf(token))).contains(token);
    assertThat(operators.findSession("session of " + token.name(), NOW).orElseThrow().token())
        .isEqualTo(token);
    assertThat(operators.renew(token.name(), new Renewal("operating", NOW, null), null)).isTrue();
    assertThat(operators.findByHash("operating").orElseThrow().rights())
        .isEqualTo(VIEWER_WHO_OPERATES_ORDERS);
  }

  @Test
  void sessionsOfAPersonEndWhenTheOperatedNodeGroupsChange() {
    Token fay = person("oidc:fay", "identity of fay", VIEWER_WHO_OPERATES_ORDERS);
    assertThat(operators.admit(fay, "hash of fay")).contains(fay);
    Session session = new Session(fay, NOW + 100);
    begin("session of fay", session, NOW);
    assertThat(operators.admit(fay, "hash of fay")).contains(fay);
    assertThat(operators.findSession("session of fay", NOW)).contains(session);

    for (NodeGroups operated : Arrays.asList(NodeGroups.of(List.of("orders")), null)) {
      Rights now = new Rights(Role.VIEW, NodeGroups.ALL, operated);
      assertThat(operators.admit(fay.with(now), "hash of fay")).contains(fay.with(now));
      assertThat(operators.findSession("session of fay", NOW)).isEmpty();
      assertThat(operators.findByName("oidc:fay")).contains(fay.with(now));
      begin("session of fay", new Session(fay.with(now), NOW + 100), NOW);
    }
  }

  /**
   * It reads and writes the columns that it knows, so during an upgrade it gives no further rights.
   */
  @Test
  void forATrackerOfTheVersionBeforeTheHolderOnlyLooks() {
    Token gus = person("oidc:gus", "identity of gus", VIEWER_WHO_OPERATES_ORDERS);
    assertThat(operators.admit(gus, "hash of gus")).isPresent();
    assertThat(
            database.query(
                "SELECT role FROM jt_operator_token WHERE name = 'oidc:gus'"
                    + " AND node_groups IS NULL"))
        .containsExactly("VIEW");

    database.execute(
        "UPDATE jt_operator_token SET role = 'OPERATE', node_groups = 'reports'"
            + " WHERE name = 'oidc:gus'");
    assertThat(operators.findByName("oidc:gus").orElseThrow().rights())
        .isEqualTo(Rights.of(Role.OPERATE, NodeGroups.of(List.of("reports"))));

    database.execute("UPDATE jt_operator_token SET role = 'VIEW' WHERE name = 'oidc:gus'");
    assertThat(operators.findByName("oidc:gus").orElseThrow().rights())
        .isEqualTo(Rights.of(Role.VIEW, NodeGroups.of(List.of("reports"))));
  }

  @Test
  void aRevokedPersonIsNotAdmittedUntilRestored() {
    Token dan = person("oidc:dan", "identity of dan", Role.VIEW, NodeGroups.ALL);
    assertThat(operators.admit(dan, "hash of dan")).isPresent();
    assertThat(operators.revoke("oidc:dan", NOW + 1)).isTrue();

    assertThat(operators.admit(dan, "hash of dan")).isEmpty();

    assertThat(operators.restore("oidc:dan")).isTrue();
    assertThat(operators.restore("oidc:dan")).isFalse();
    assertThat(operators.admit(dan, "hash of dan")).contains(dan);
  }

  @Test
  void aTokenIsNotRestoredAndAPersonGetsNoSecret() {
    Token token = issued();
    assertThat(operators.revoke(token.name(), NOW)).isTrue();
    assertThat(operators.restore(token.name())).isFalse();

    Token eve = person("oidc:eve", "identity of eve", Role.VIEW, NodeGroups.ALL);
    assertThat(operators.admit(eve, "hash of eve")).isPresent();
    assertThat(operators.renew("oidc:eve", new Renewal("secret of eve", NOW, null), null))
        .isFalse();
    assertThat(operators.findByHash("secret of eve")).isEmpty();
  }

  @Test
  void tokensAreListedFromTheNewestOn() {
    Token first = issued();
    Token second = issued();

    assertThat(operators.list(AgeOrder.NEWEST_FIRST, second.id() + 1, 2))
        .containsExactly(second, first);
    assertThat(operators.list(AgeOrder.NEWEST_FIRST, second.id(), 1)).containsExactly(first);
  }
}
