package io.millrace.console.access.oidc;

import io.millrace.console.access.Secrets;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The persons who have signed in. Their names begin with {@value #PREFIX}, which no name of a token
 * can. Thread-safe; may block.
 */
record Persons(OperatorStore store, IdSequence ids, Clock clock) {
  static final String PREFIX = "oidc:";

  private static final Secrets SECRETS = new Secrets();
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9._@+-]");
  private static final int LONGEST = 64;
  private static final int SUFFIX = 6;

  /** Stores the person and what the person may do; empty if the person was revoked. */
  Optional<Token> admit(Identity identity, Rights rights) {
    String name = PREFIX + OTHERS.matcher(identity.name()).replaceAll("-");
    try {
      return admit(bounded(name, LONGEST), identity, rights);
    } catch (DuplicateKeyException taken) {
      String own = "-" + identity.key().substring(0, SUFFIX);
      return admit(bounded(name, LONGEST - own.length()) + own, identity, rights);
    }
  }

  private Optional<Token> admit(String name, Identity identity, Rights rights) {
    long now = clock.millis();
    Token person = Token.ofPerson(ids.next(now), name, identity.key(), rights, now);
    return store.admit(person, Secrets.hash(SECRETS.next("none_")));
  }

  private static String bounded(String name, int most) {
    return name.length() <= most ? name : name.substring(0, most);
  }
}
