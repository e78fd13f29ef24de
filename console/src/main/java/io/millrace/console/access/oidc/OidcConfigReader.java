package io.millrace.console.access.oidc;

import io.millrace.console.access.oidc.OidcConfig.Claims;
import io.millrace.console.access.oidc.OidcConfig.Client;
import io.millrace.internal.config.Secret;
import io.millrace.internal.config.Settings;
import io.millrace.internal.config.ValueType;
import io.millrace.internal.config.ValueTypes;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys under {@code console.oidc} of a tracker's configuration file, and console.url. */
public record OidcConfigReader(Settings settings) {
  private static final String ISSUER = "console.oidc.issuer";
  private static final String CLIENT = "console.oidc.client-id";
  private static final String ROLES = "console.oidc.roles";
  private static final String URL = "console.url";
  private static final ValueType<URI> ADDRESS =
      new ValueType<>(
          "URL", OidcConfigReader::parse, URI::toString, URI.create("https://localhost"), false);

  /** Reads the keys; null if there is no provider. */
  public @Nullable OidcConfig read() {
    Optional<URI> issuer = settings.optional(ISSUER, ADDRESS);
    Optional<String> client = settings.optional(CLIENT, ValueTypes.STRING);
    Optional<Secret> secret = settings.optional("console.oidc.client-secret", ValueTypes.SECRET);
    Optional<URI> url = settings.optional(URL, ADDRESS);
    String name = settings.string("console.oidc.name", "single sign-on");
    List<String> scopes =
        settings.get(
            "console.oidc.scopes",
            ValueTypes.listOf(ValueTypes.STRING),
            List.of("profile", "email"));
    Claims claims =
        new Claims(
            settings.string("console.oidc.name-claim", Claims.USUAL.name()),
            settings.string("console.oidc.roles-claim", Claims.USUAL.roles()));
    Optional<List<OidcRule>> rules = settings.optional(ROLES, ValueTypes.listOf(OidcRule.TYPE));
    if (issuer.isEmpty()) {
      refuseWithoutIssuer(CLIENT, client);
      refuseWithoutIssuer("console.oidc.client-secret", secret);
      refuseWithoutIssuer(ROLES, rules);
      return null;
    }
    if (client.isEmpty() || rules.isEmpty() || url.isEmpty()) {
      settings.reject(ISSUER, "needs " + CLIENT + ", " + ROLES + " and " + URL);
      return null;
    }
    try {
      return new OidcConfig(
          issuer.get(),
          new Client(client.get(), secret.orElse(null)),
          url.get(),
          name,
          scopes,
          claims,
          rules.get());
    } catch (IllegalArgumentException e) {
      settings.reject(ISSUER, "is invalid: " + e.getMessage());
      return null;
    }
  }

  private void refuseWithoutIssuer(String key, Optional<?> value) {
    if (value.isPresent()) {
      settings.reject(key, "needs " + ISSUER);
    }
  }

  private static URI parse(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("must be a URL", e);
    }
  }
}
