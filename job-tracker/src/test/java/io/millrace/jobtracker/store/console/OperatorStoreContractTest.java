package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.OperatorStore.Session;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
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
    return new Token(id, "name-" + id, role, NOW, "admin", null);
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

    Token again = new Token(IDS.incrementAndGet(), token.name(), Role.ADMIN, NOW, "admin", null);
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

  @Test
  void aRevokedTokenIsGoodForNothingAndStaysListed() {
    Token token = issued();
    operators.beginSession("session of " + token.name(), new Session(token, NOW + 100), NOW);

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
    operators.beginSession(secret, session, NOW);

    assertThat(operators.findSession(secret, NOW + 99)).contains(session);
    assertThat(operators.findSession(secret, NOW + 100)).isEmpty();
    operators.endSession(secret);
    operators.endSession(secret);
    assertThat(operators.findSession(secret, NOW)).isEmpty();
  }

  @Test
  void whoeverBeginsASessionClearsAwayThoseThatHaveExpired() {
    Token token = issued();
    operators.beginSession("old " + token.name(), new Session(token, NOW + 10), NOW);

    operators.beginSession("new " + token.name(), new Session(token, NOW + 100), NOW + 20);

    assertThat(operators.findSession("old " + token.name(), NOW)).isEmpty();
    assertThat(operators.findSession("new " + token.name(), NOW + 20)).isPresent();
  }
}
