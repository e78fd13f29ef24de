package io.millrace.console.access.oidc;

import io.millrace.console.access.AccessRecord;
import io.millrace.console.access.Secrets;
import io.millrace.console.access.Sessions;
import io.millrace.console.access.oidc.SignInFailure.Reason;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Rights;
import java.net.URI;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Signs persons in through an identity provider. Anybody can ask for it, and it waits for the
 * provider; so only {@value #AT_ONCE} requests do at a time, and other requests to the console have
 * the other threads. Thread-safe; blocks.
 */
public final class ProviderSignIn {
  static final int AT_ONCE = 2;

  private final OidcConfig config;
  private final IdentityProvider provider;
  private final Persons persons;
  private final Sessions sessions;
  private final AccessRecord access;
  private final Semaphore places = new Semaphore(AT_ONCE);

  public ProviderSignIn(
      OidcConfig config,
      OperatorStore store,
      IdSequence ids,
      Clock clock,
      Sessions sessions,
      AccessRecord access) {
    this.config = config;
    this.provider = new IdentityProvider(config, clock);
    this.persons = new Persons(store, ids, clock);
    this.sessions = sessions;
    this.access = access;
  }

  /**
   * A sign-in that has begun.
   *
   * @param address where the person signs in
   * @param cookie what the browser keeps meanwhile
   */
  public record Begun(URI address, String cookie) {}

  /**
   * A person who is signed in.
   *
   * @param page where the person goes, as the fragment of the console's address
   */
  public record Done(Sessions.Begun session, String page) {}

  /**
   * What the provider sends a person back with.
   *
   * @param code null if the provider did not sign the person in
   * @param error null if it did
   * @param issuer the issuer, if the provider names it (RFC 9207)
   */
  public record Answer(
      @Nullable String code,
      @Nullable String state,
      @Nullable String error,
      @Nullable String issuer) {}

  /** The name of the provider, as people know it. */
  public String name() {
    return config.name();
  }

  /**
   * Begins a sign-in. Failures are recorded like refused tokens.
   *
   * @param page where the person goes afterwards, as the fragment of the console's address
   * @param path the path of the request
   * @param address the address of the client
   */
  public Begun begin(String page, String path, String address) throws SignInFailure {
    return recorded(
        path,
        address,
        () -> {
          Attempt attempt = Attempt.begin(page);
          return new Begun(provider.askAt(attempt), attempt.cookie());
        });
  }

  /**
   * Ends a sign-in: begins the session of the person whom the provider sends back. Failures are
   * recorded like refused tokens.
   *
   * @param cookie what the browser kept; null if nothing
   * @param path the path of the request
   * @param address the address of the client
   */
  public Done end(@Nullable String cookie, Answer answer, String path, String address)
      throws SignInFailure {
    return recorded(
        path,
        address,
        () -> {
          Attempt attempt = attemptOf(cookie, answer);
          Token person = admit(identify(answer, attempt));
          return new Done(sessions.beginAs(person, path, address), attempt.page());
        });
  }

  /** A step of a sign-in; it may wait for the provider. */
  @FunctionalInterface
  private interface Step<T> {
    T take() throws SignInFailure;
  }

  private <T> T recorded(String path, String address, Step<T> step) throws SignInFailure {
    takePlace();
    try {
      return step.take();
    } catch (SignInFailure e) {
      access.refused(path + " " + e.reason(), address, String.valueOf(e.getMessage()));
      throw e;
    } finally {
      places.release();
    }
  }

  private void takePlace() throws SignInFailure {
    if (!places.tryAcquire()) {
      throw new SignInFailure(Reason.BUSY, "too many people sign in at this moment");
    }
  }

  private static Attempt attemptOf(@Nullable String cookie, Answer answer) throws SignInFailure {
    Attempt attempt = cookie == null ? null : Attempt.read(cookie).orElse(null);
    if (attempt == null
        || answer.state() == null
        || !Secrets.same(attempt.state(), answer.state())) {
      throw new SignInFailure(
          Reason.STALE, "the sign-in was not begun in this browser, or too long ago");
    }
    return attempt;
  }

  private Identity identify(Answer answer, Attempt attempt) throws SignInFailure {
    if (answer.error() != null || answer.code() == null) {
      throw new SignInFailure(
          Reason.DENIED, "the identity provider did not sign the person in: " + answer.error());
    }
    if (answer.issuer() != null && !answer.issuer().equals(config.issuer().toString())) {
      throw new SignInFailure(
          Reason.INVALID, "the answer is of another identity provider: " + answer.issuer());
    }
    return provider.identify(answer.code(), attempt);
  }

  private Token admit(Identity identity) throws SignInFailure {
    return persons
        .admit(identity, rightsOf(identity))
        .orElseThrow(() -> new SignInFailure(Reason.REVOKED, identity.name() + " was revoked"));
  }

  private Rights rightsOf(Identity identity) throws SignInFailure {
    String said =
        "%s, whose claim %s has %s"
            .formatted(identity.name(), config.claims().roles(), identity.values());
    try {
      return config
          .rightsOf(identity.values())
          .orElseThrow(
              () ->
                  new SignInFailure(
                      Reason.NO_ROLE, "no rule of console.oidc.roles is about " + said));
    } catch (IllegalArgumentException e) {
      throw new SignInFailure(
          Reason.TOO_MANY_GROUPS,
          "the rules of console.oidc.roles about %s: %s".formatted(said, e.getMessage()),
          e);
    }
  }
}
