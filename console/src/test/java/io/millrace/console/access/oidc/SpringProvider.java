package io.millrace.console.access.oidc;

import io.millrace.console.access.oidc.OidcConfig.Claims;
import io.millrace.console.access.oidc.OidcConfig.Client;
import io.millrace.internal.config.Secret;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * A real identity provider in this process: Spring Authorization Server, with a page where people
 * sign in. Their passwords are their names.
 */
public final class SpringProvider implements AutoCloseable {
  private static final String CLIENT = "millrace";
  private static final String SECRET = "secret of the client";

  private static final Map<String, List<String>> PEOPLE =
      Map.of(
          "ann", List.of("platform", "staff"),
          "bob", List.of("team-orders", "staff"),
          "cid", List.of("staff"),
          "dora", List.of("guests"),
          "eve", List.of("team-orders"),
          "fay", List.of("team-orders", "team-of-many"));

  private final ServletWebServerApplicationContext context;
  private final URI console;

  private SpringProvider(ServletWebServerApplicationContext context, URI console) {
    this.context = context;
    this.console = console;
  }

  /**
   * Starts one.
   *
   * @param console the address of the only console that it knows
   */
  public static SpringProvider forConsole(URI console) {
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    return new SpringProvider(
        (ServletWebServerApplicationContext)
            new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                    Map.of("server.port", 0, "server.address", "localhost", "console", console))
                .run(),
        console);
  }

  /** The name by which it calls itself. */
  public URI issuer() {
    return URI.create("http://localhost:" + context.getWebServer().getPort());
  }

  /** What a console needs to know of it. */
  public OidcConfig config() {
    return new OidcConfig(
        issuer(),
        new Client(CLIENT, Secret.of(SECRET)),
        console,
        "Example login",
        List.of("profile"),
        new Claims("preferred_username", "groups"),
        List.of(
            OidcRule.parse("platform: ADMIN"),
            OidcRule.parse("team-orders: OPERATE orders billing-*"),
            OidcRule.parse(
                "team-of-many: VIEW"
                    + " g%d".repeat(20).formatted(IntStream.range(0, 20).boxed().toArray())),
            OidcRule.parse("staff: VIEW")));
  }

  @Override
  public void close() {
    context.close();
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Application {

    @Bean
    UserDetailsService people() {
      return new InMemoryUserDetailsManager(
          PEOPLE.keySet().stream()
              .map(name -> User.withUsername(name).password("{noop}" + name).roles("USER").build())
              .toList());
    }

    @Bean
    RegisteredClientRepository clients(org.springframework.core.env.Environment environment) {
      return new InMemoryRegisteredClientRepository(
          RegisteredClient.withId(CLIENT)
              .clientId(CLIENT)
              .clientSecret("{noop}" + SECRET)
              .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
              .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
              .redirectUri(environment.getRequiredProperty("console") + OidcConfig.CALLBACK)
              .scope("openid")
              .scope("profile")
              .clientSettings(
                  ClientSettings.builder()
                      .requireAuthorizationConsent(false)
                      .requireProofKey(true)
                      .build())
              .build());
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> claims() {
      return token ->
          token
              .getClaims()
              .claim("preferred_username", token.getPrincipal().getName())
              .claim("groups", PEOPLE.get(token.getPrincipal().getName()));
    }
  }
}
