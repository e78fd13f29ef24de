package io.millrace.console.access;

import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Session;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import java.time.Duration;

/**
 * Signs browsers in and out. Thread-safe.
 *
 * @param length how long a session lasts
 */
public record Sessions(OperatorStore store, Clock clock, Duration length, AccessRecord access) {
  private static final Secrets SECRETS = new Secrets();

  /**
   * A new session.
   *
   * @param secret for the browser's cookie
   * @param expiresAt epoch milliseconds
   */
  public record Begun(Token token, String secret, long expiresAt) {}

  /**
   * Begins a session; throws a problem if the token is not valid. Both outcomes are recorded.
   *
   * @param path the path of the request
   * @param address the address of the client
   */
  public Begun begin(String token, String path, String address) {
    long now = clock.millis();
    Token known = store.findByHash(Secrets.hash(token)).orElse(null);
    if (known == null) {
      access.refused(path, address, OperatorAuthenticator.UNKNOWN_TOKEN);
      throw Kind.UNAUTHENTICATED.because(OperatorAuthenticator.UNKNOWN_TOKEN);
    }
    access.signsIn(known, path, address);
    String secret = SECRETS.next("mrs_");
    Session session = new Session(known, now + length.toMillis());
    store.beginSession(Secrets.hash(secret), session, now);
    return new Begun(known, secret, session.expiresAt());
  }

  /** Ends the session of this cookie; harmless if there is none. */
  public void end(String secret) {
    store.endSession(Secrets.hash(secret));
  }

  /** The CSRF token that a page of this session sends with each change, besides the cookie. */
  public static String csrfToken(String secret) {
    return Secrets.csrfOf(secret);
  }
}
