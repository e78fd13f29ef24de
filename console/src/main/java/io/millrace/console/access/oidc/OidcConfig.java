package io.millrace.console.access.oidc;

import io.millrace.internal.config.Check;
import io.millrace.internal.config.Secret;
import io.millrace.jobtracker.store.console.Rights;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An identity provider, and what its persons may do.
 *
 * @param issuer the issuer by which the provider names itself
 * @param client the client as which the provider knows this console
 * @param console the address by which browsers reach the console, without a path
 * @param name of the provider, as people know it
 * @param scopes what is asked for besides {@code openid}
 * @param claims where the provider says who a person is
 * @param rules those that are about a person decide together
 */
public record OidcConfig(
    URI issuer,
    Client client,
    URI console,
    String name,
    List<String> scopes,
    Claims claims,
    List<OidcRule> rules) {
  /** The path, below the address of the console, to which the provider sends a person back. */
  public static final String CALLBACK = "/api/v1/session/provider/callback";

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /**
   * This console, as the provider knows it.
   *
   * @param secret null for a client without one, which the provider calls public
   */
  public record Client(String id, @Nullable Secret secret) {}

  /**
   * The names of claims. A dot leads into a claim that has claims of its own.
   *
   * @param name says how a person is called
   * @param roles has the values that rules are about
   */
  public record Claims(String name, String roles) {
    public static final Claims USUAL = new Claims("preferred_username", "groups");
  }

  /**
   * @throws IllegalArgumentException if there may be no such configuration
   */
  public OidcConfig {
    scopes = List.copyOf(scopes);
    rules = List.copyOf(rules);
    checkAddress("the issuer", issuer);
    checkAddress("the address of the console", console);
    String path = console.getPath();
    Check.that(
        path == null || path.isEmpty() || path.equals("/"),
        "the address of the console must have no path");
    Check.that(!rules.isEmpty(), "a rule must say who has which role");
  }

  private static void checkAddress(String what, URI address) {
    boolean isLocal = "http".equals(address.getScheme()) && LOOPBACK.contains(address.getHost());
    Check.that(
        address.getHost() != null && ("https".equals(address.getScheme()) || isLocal),
        what + " must begin with https://, or with http:// and localhost");
  }

  /** The address to which the provider sends a person back; it must be registered there. */
  public URI callback() {
    return console.resolve(CALLBACK);
  }

  /**
   * What a person with these values may do: what all rules about the person allow together; empty
   * if there is no such rule.
   *
   * @throws IllegalArgumentException if these are too many node groups; the message says how many
   */
  Optional<Rights> rightsOf(List<String> values) {
    Optional<Rights> rights =
        rules.stream()
            .filter(rule -> rule.matches(values))
            .map(OidcRule::rights)
            .reduce(Rights::and);
    rights.ifPresent(Rights::requireFew);
    return rights;
  }
}
