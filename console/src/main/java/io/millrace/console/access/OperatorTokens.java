package io.millrace.console.access;

import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Renewal;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Issues and renews the tokens of operators. A secret is shown once, when it is made. Thread-safe.
 */
public record OperatorTokens(OperatorStore store, IdSequence ids, Clock clock, TokenLife life) {
  private static final String PREFIX = "mrt_";
  private static final String LIMITED = Secrets.LIMITED + "_";

  /** The name of the first token of a store. */
  public static final String FIRST = "admin";

  private static final Secrets SECRETS = new Secrets();
  private static final Pattern NAME_FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  /**
   * A token and its secret.
   *
   * @param secret the text that requests send; not stored
   */
  public record Issued(Token token, String secret) {}

  /**
   * Checks whether the name is valid for a token.
   *
   * @throws IllegalArgumentException if it is not; the message says which names are valid
   */
  public static void requireName(String name) {
    if (!NAME_FORM.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a name must have 1 to 64 letters, digits and . _ @ -, and begin with a letter or digit");
    }
  }

  /** The message for a name that was issued before. */
  public static String issuedBefore(String name) {
    return "a token named " + name + " was issued before; a name cannot be reused";
  }

  /**
   * Issues the first token of the store, with the role ADMIN; empty if any token was ever issued.
   */
  public Optional<String> issueFirst() {
    Issued first = make(new Holder(FIRST, Rights.of(Role.ADMIN)), "millrace", null);
    return store.issueFirst(first.token(), Secrets.hash(first.secret()))
        ? Optional.of(first.secret())
        : Optional.empty();
  }

  /** Who is to hold a token, and what the holder may do. */
  public record Holder(String name, Rights rights) {

    /**
     * @throws IllegalArgumentException if the name is not valid
     */
    public Holder {
      requireName(name);
    }
  }

  /**
   * Issues a token.
   *
   * @param wanted how long it is to be valid; null for as long as tokens may be
   * @throws IllegalArgumentException if it may not be valid for so long
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if a token of this name was
   *     ever issued
   */
  public Issued issue(Holder holder, String by, @Nullable Duration wanted) {
    Issued issued = make(holder, by, wanted);
    store.issue(issued.token(), Secrets.hash(issued.secret()));
    return issued;
  }

  private Issued make(Holder holder, String by, @Nullable Duration wanted) {
    long now = clock.millis();
    Long end = life.endOf(wanted, now);
    return new Issued(
        Token.issued(ids.next(now), holder.name(), holder.rights(), now, by, end),
        secretFor(holder.rights()));
  }

  /**
   * Gives a token another secret, and ends its sessions; empty if there is no such token, or it was
   * revoked.
   *
   * @param wanted how long it is to be valid; null for as long as before
   * @param session secret of a session that goes on: the one in which this is asked for; null for
   *     none
   * @throws IllegalArgumentException if it may not be valid for so long
   */
  public Optional<Issued> renew(String name, @Nullable Duration wanted, @Nullable String session) {
    Token token = store.findByName(name).orElse(null);
    if (token == null) {
      return Optional.empty();
    }
    long now = clock.millis();
    Long end = life.endOf(wanted == null ? life.atMost(lengthOf(token)) : wanted, now);
    String secret = secretFor(token.rights());
    Renewal renewal = new Renewal(Secrets.hash(secret), now, end);
    return store.renew(name, renewal, session == null ? null : Secrets.hash(session))
        ? Optional.of(new Issued(token.renewed(renewal), secret))
        : Optional.empty();
  }

  private static String secretFor(Rights rights) {
    return SECRETS.next(rights.groups().areLimited() ? LIMITED : PREFIX);
  }

  /** For how long a token was issued or last renewed; null if it has no end. */
  private static @Nullable Duration lengthOf(Token token) {
    if (token.expiresAt() == null) {
      return null;
    }
    long from = token.renewedAt() == null ? token.createdAt() : token.renewedAt();
    return Duration.ofMillis(token.expiresAt() - from);
  }
}
