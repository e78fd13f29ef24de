package io.millrace.console.access.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.console.access.oidc.OidcConfig.Claims;
import io.millrace.console.access.oidc.OidcConfig.Client;
import io.millrace.internal.config.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** An identity provider that says what a test wants. It signs everybody in as {@code ann}. */
final class FakeProvider implements AutoCloseable {
  static final String SECRET = "a secret of the client that is long enough to sign with";

  private final HttpServer server;
  private static final RSAKey KEY = newKey();

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Map<String, String> asked = new ConcurrentHashMap<>();

  FakeProvider() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    says(
        "/.well-known/openid-configuration",
        """
        {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token",
        "userinfo_endpoint":"%1$s/userinfo","jwks_uri":"%1$s/keys","subject_types_supported":["public"],
        "response_types_supported":["code"],"id_token_signing_alg_values_supported":["RS256"]}"""
            .formatted(issuer()));
    says("/keys", new JWKSet(KEY.toPublicJWK()).toString());
    says("/userinfo", "{\"sub\":\"1\"}");
  }

  static RSAKey newKey() {
    try {
      return new RSAKeyGenerator(2_048).keyID("key").generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  URI issuer() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** What is answered at a path. */
  String answer(String path) {
    return answers.getOrDefault(path, "");
  }

  /** What is answered at a path from now on. */
  void says(String path, String json) {
    answers.put(path, json);
  }

  /** The last form that was sent to a path. */
  String asked(String path) {
    return URLDecoder.decode(asked.getOrDefault(path, ""), StandardCharsets.UTF_8);
  }

  /** What a good ID token of a sign-in has, after a change. */
  JWTClaimsSet claims(Attempt attempt, UnaryOperator<JWTClaimsSet.Builder> change) {
    Date now = new Date();
    return change
        .apply(
            new JWTClaimsSet.Builder()
                .issuer(issuer().toString())
                .subject("1")
                .audience("millrace")
                .issueTime(now)
                .expirationTime(Date.from(now.toInstant().plus(Duration.ofMinutes(5))))
                .claim("nonce", attempt.nonce())
                .claim("preferred_username", "ann")
                .claim("groups", List.of("staff")))
        .build();
  }

  /** Answers the next codes with this ID token. */
  void issues(String idToken) {
    says(
        "/token",
        "{\"access_token\":\"access\",\"token_type\":\"Bearer\",\"id_token\":\"" + idToken + "\"}");
  }

  /** Answers the next codes with these claims, signed with the key of this provider. */
  void issues(JWTClaimsSet claims) throws JOSEException {
    issues(signed(claims, JWSAlgorithm.RS256, new RSASSASigner(KEY)));
  }

  static String signed(JWTClaimsSet claims, JWSAlgorithm algorithm, JWSSigner signer)
      throws JOSEException {
    SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID("key").build(), claims);
    token.sign(signer);
    return token.serialize();
  }

  OidcConfig config() {
    return new OidcConfig(
        issuer(),
        new Client("millrace", Secret.of(SECRET)),
        URI.create("https://millrace.example.org"),
        "Fake",
        List.of("profile"),
        Claims.USUAL,
        List.of(OidcRule.parse("staff: VIEW")));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      byte[] body = exchange.getRequestBody().readAllBytes();
      asked.put(path, new String(body, StandardCharsets.UTF_8));
      String json = answers.get(path);
      byte[] bytes = (json == null ? "{}" : json).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(json == null ? 404 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
