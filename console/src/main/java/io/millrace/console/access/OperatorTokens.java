package io.millrace.console.access;

import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Role;
import java.util.Optional;
import java.util.regex.Pattern;

/** Issues the tokens of operators. A token is shown once, when it is issued. Thread-safe. */
public record OperatorTokens(OperatorStore store, IdSequence ids, Clock clock) {
  static final String PREFIX = "mrt_";

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
    Issued first = make(FIRST, Role.ADMIN, "millrace");
    return store.issueFirst(first.token(), Secrets.hash(first.secret()))
        ? Optional.of(first.secret())
        : Optional.empty();
  }

  /**
   * Issues a token.
   *
   * @throws io.millrace.jobtracker.store.failure.DuplicateKeyException if a token of this name was
   *     ever issued
   */
  public Issued issue(String name, Role role, String by) {
    Issued issued = make(name, role, by);
    store.issue(issued.token(), Secrets.hash(issued.secret()));
    return issued;
  }

  private Issued make(String name, Role role, String by) {
    long now = clock.millis();
    return new Issued(new Token(ids.next(now), name, role, now, by, null), SECRETS.next(PREFIX));
  }
}
