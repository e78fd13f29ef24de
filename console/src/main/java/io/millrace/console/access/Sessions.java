package io.millrace.console.access;

import io.millrace.common.time.Clock;
import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Session;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import java.time.Duration;

/** Signs browsers in and out. Thread-safe. */
public final class Sessions {
  private final OperatorStore store;
  private final Clock clock;
  private final Duration length;
  private final AccessRecord record;
  private final Secrets secrets = new Secrets();

  /**
   * @param length how long a session lasts
   */
  public Sessions(OperatorStore store, Clock clock, Duration length, AccessRecord record) {
    this.store = store;
    this.clock = clock;
    this.length = length;
    this.record = record;
  }

  /**
   * A session that has just begun.
   *
   * @param secret for the browser's cookie
   * @param expiresAt epoch milliseconds
   */
  public record Begun(Token token, String secret, long expiresAt) {}

  /**
   * Begins a session, or throws a problem if the token is not good. Either is put on record.
   *
   * @param path where it was asked for
   * @param address where the request came from
   */
  public Begun begin(String token, String path, String address) {
    long now = clock.millis();
    Token known = store.findByHash(Secrets.hash(token)).orElse(null);
    if (known == null) {
      record.refused(path, address, OperatorAuthenticator.UNKNOWN_TOKEN);
      throw Kind.UNAUTHENTICATED.because(OperatorAuthenticator.UNKNOWN_TOKEN);
    }
    record.signsIn(known, path, address);
    String secret = secrets.next("mrs_");
    Session session = new Session(known, now + length.toMillis());
    store.beginSession(Secrets.hash(secret), session, now);
    return new Begun(known, secret, session.expiresAt());
  }

  /** Ends the session of this cookie; harmless if there is none. */
  public void end(String secret) {
    store.endSession(Secrets.hash(secret));
  }

  /** What a page of this session sends besides the cookie with each change. */
  public static String csrfToken(String secret) {
    return Secrets.csrfOf(secret);
  }

  public Duration length() {
    return length;
  }
}
