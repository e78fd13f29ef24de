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
 * @param length how long a session lasts if its token lasts as long
 */
public record Sessions(
    OperatorStore store, Clock clock, Duration length, AccessRecord access, TokenUses uses) {
  private static final Secrets SECRETS = new Secrets();

  /**
   * A new session.
   *
   * @param secret for the browser's cookie
   * @param length how long it lasts
   * @param expiresAt epoch milliseconds
   */
  public record Begun(Token token, String secret, Duration length, long expiresAt) {}

  /**
   * Begins a session, which ends no later than its token; throws a problem if the token is not
   * valid. Both outcomes are recorded.
   *
   * @param path the path of the request
   * @param address the address of the client
   */
  public Begun begin(String token, String path, String address) {
    return beginAs(
        new TokenCheck(store, clock, access).require(token, path, address), path, address);
  }

  /**
   * Begins a session of a token or person that was valid when it was read; throws a problem if it
   * is not any more.
   *
   * @param path the path of the request
   * @param address the address of the client
   */
  public Begun beginAs(Token known, String path, String address) {
    long now = clock.millis();
    access.signsIn(known, path, address);
    uses.record(known, address);
    String secret =
        SECRETS.next(known.rights().groups().areLimited() ? Secrets.LIMITED + "s_" : "mrs_");
    long end = now + length.toMillis();
    Session session =
        new Session(known, known.expiresAt() == null ? end : Math.min(end, known.expiresAt()));
    if (!store.beginSession(Secrets.hash(secret), session, now)) {
      String why = "the token %s was renewed or revoked at this moment".formatted(known.name());
      access.refused(path, address, why);
      throw Kind.UNAUTHENTICATED.because(why);
    }
    Duration lasts = Duration.ofMillis(session.expiresAt() - now);
    return new Begun(known, secret, lasts, session.expiresAt());
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
