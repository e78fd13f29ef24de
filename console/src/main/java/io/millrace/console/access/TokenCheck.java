package io.millrace.console.access;

import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import java.time.Instant;

/** Tells valid tokens from others, and records those that it refuses. Thread-safe; may block. */
record TokenCheck(OperatorStore operators, Clock clock, AccessRecord access) {
  static final String UNKNOWN_TOKEN = "the token is unknown or was revoked";

  /** The code of the problem for a token whose end has come. */
  static final String EXPIRED = "TOKEN_EXPIRED";

  /**
   * Returns the token of this secret; throws a problem if there is none, or its end has come.
   *
   * @param target the path or header that the secret was sent in
   * @param address the address of the client
   */
  Token require(String secret, String target, String address) {
    Token token = operators.findByHash(Secrets.hash(secret)).orElse(null);
    if (token == null) {
      access.refused(target, address, UNKNOWN_TOKEN);
      throw Kind.UNAUTHENTICATED.because(UNKNOWN_TOKEN);
    }
    if (token.expiresAt() != null && token.hasExpired(clock.millis())) {
      String why =
          "the token %s expired at %s; an administrator can renew it"
              .formatted(token.name(), Instant.ofEpochMilli(token.expiresAt()));
      access.refused(target, address, why);
      throw Kind.UNAUTHENTICATED.because(EXPIRED, why);
    }
    return token;
  }
}
