package io.millrace.console.access.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.millrace.console.access.oidc.SignInFailure.Reason;
import io.millrace.internal.time.Clock;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks an identity provider who a person is: authorization code flow with PKCE. What the provider
 * says of itself is asked for at the first sign-in and again every hour, so a tracker starts while
 * the provider is away. Thread-safe; blocks for the provider, at most twice the patience for each
 * request.
 */
final class IdentityProvider {
  private static final int PATIENCE_MILLIS = 5_000;
  private static final int LARGEST_KEYS = 1 << 20;
  private static final Duration METADATA_LIFE = Duration.ofHours(1);

  private final OidcConfig config;
  private final Clock clock;
  private @Nullable Known known;

  /**
   * What the provider said of itself.
   *
   * @param until when to ask again, epoch milliseconds
   */
  private record Known(OIDCProviderMetadata metadata, IDTokenValidator validator, long until) {}

  IdentityProvider(OidcConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
  }

  /** The address at which the person signs in. */
  URI askAt(Attempt attempt) throws SignInFailure {
    Scope scopes = new Scope("openid");
    config.scopes().forEach(scopes::add);
    return new AuthenticationRequest.Builder(
            ResponseType.CODE, scopes, new ClientID(config.client().id()), config.callback())
        .endpointURI(known().metadata().getAuthorizationEndpointURI())
        .state(new State(attempt.state()))
        .nonce(new Nonce(attempt.nonce()))
        .codeChallenge(new CodeVerifier(attempt.verifier()), CodeChallengeMethod.S256)
        .build()
        .toURI();
  }

  /** Who has signed in, by the code that the provider sent the person back with. */
  Identity identify(String code, Attempt attempt) throws SignInFailure {
    Known provider = known();
    try {
      OIDCTokens tokens = redeem(code, attempt, provider.metadata());
      if (tokens.getIDToken() == null) {
        throw new SignInFailure(Reason.INVALID, "the identity provider sent no ID token");
      }
      IDTokenClaimsSet idToken =
          provider.validator().validate(tokens.getIDToken(), new Nonce(attempt.nonce()));
      String subject = idToken.getSubject().getValue();
      Claims claims = new Claims(config.claims(), idToken.toJWTClaimsSet().getClaims());
      URI more = provider.metadata().getUserInfoEndpointURI();
      if (!claims.areComplete() && more != null) {
        claims = claims.with(userInfo(more, tokens.getAccessToken(), subject));
      }
      return new Identity(
          idToken.getIssuer().getValue(), subject, claims.name(subject), claims.values());
    } catch (IOException e) {
      throw unavailable(e);
    } catch (GeneralException | BadJOSEException | JOSEException e) {
      throw new SignInFailure(
          Reason.INVALID, "the answer of the identity provider is not valid: " + e.getMessage(), e);
    }
  }

  private OIDCTokens redeem(String code, Attempt attempt, OIDCProviderMetadata metadata)
      throws SignInFailure, GeneralException, IOException {
    AuthorizationCodeGrant grant =
        new AuthorizationCodeGrant(
            new AuthorizationCode(code), config.callback(), new CodeVerifier(attempt.verifier()));
    ClientAuthentication client = authentication(metadata);
    URI endpoint = metadata.getTokenEndpointURI();
    TokenRequest request =
        (client == null
                ? new TokenRequest.Builder(endpoint, new ClientID(config.client().id()), grant)
                : new TokenRequest.Builder(endpoint, client, grant))
            .build();
    TokenResponse response = OIDCTokenResponseParser.parse(send(request.toHTTPRequest()));
    if (!response.indicatesSuccess()) {
      throw new SignInFailure(
          Reason.INVALID,
          "the identity provider did not redeem the code: "
              + response.toErrorResponse().getErrorObject());
    }
    return ((OIDCTokenResponse) response.toSuccessResponse()).getOIDCTokens();
  }

  /** How the client proves itself; null if it has no secret. */
  private @Nullable ClientAuthentication authentication(OIDCProviderMetadata metadata) {
    if (config.client().secret() == null) {
      return null;
    }
    ClientID id = new ClientID(config.client().id());
    Secret secret = new Secret(config.client().secret().reveal());
    List<ClientAuthenticationMethod> methods = metadata.getTokenEndpointAuthMethods();
    boolean isInBody =
        methods != null
            && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST)
            && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    return isInBody ? new ClientSecretPost(id, secret) : new ClientSecretBasic(id, secret);
  }

  /** What the provider says of the person besides the ID token. */
  private static Map<String, Object> userInfo(URI endpoint, AccessToken token, String subject)
      throws IOException, ParseException {
    UserInfoResponse response =
        UserInfoResponse.parse(send(new UserInfoRequest(endpoint, token).toHTTPRequest()));
    if (!response.indicatesSuccess()
        || response.toSuccessResponse().getUserInfo() == null
        || !response.toSuccessResponse().getUserInfo().getSubject().getValue().equals(subject)) {
      return Map.of();
    }
    return response.toSuccessResponse().getUserInfo().toJWTClaimsSet().getClaims();
  }

  private static HTTPResponse send(HTTPRequest request) throws IOException {
    request.setConnectTimeout(PATIENCE_MILLIS);
    request.setReadTimeout(PATIENCE_MILLIS);
    request.setFollowRedirects(false);
    return request.send();
  }

  private synchronized Known known() throws SignInFailure {
    Known last = known;
    if (last != null && clock.millis() < last.until()) {
      return last;
    }
    try {
      OIDCProviderMetadata metadata =
          OIDCProviderMetadata.resolve(
              new Issuer(config.issuer()), PATIENCE_MILLIS, PATIENCE_MILLIS);
      Known now =
          new Known(metadata, validator(metadata), clock.millis() + METADATA_LIFE.toMillis());
      known = now;
      return now;
    } catch (IOException e) {
      throw unavailable(e);
    } catch (GeneralException e) {
      throw new SignInFailure(
          Reason.UNAVAILABLE,
          "the identity provider "
              + config.issuer()
              + " says nothing usable of itself: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Takes tokens that are signed with a key of the provider only, never with the client's secret.
   */
  private IDTokenValidator validator(OIDCProviderMetadata metadata)
      throws GeneralException, IOException {
    Set<JWSAlgorithm> algorithms = new HashSet<>(JWSAlgorithm.Family.SIGNATURE);
    List<JWSAlgorithm> offered = metadata.getIDTokenJWSAlgs();
    if (offered != null) {
      algorithms.retainAll(offered);
    }
    if (algorithms.isEmpty()
        || metadata.getJWKSetURI() == null
        || metadata.getAuthorizationEndpointURI() == null
        || metadata.getTokenEndpointURI() == null) {
      throw new GeneralException(
          "an endpoint is missing, or it signs ID tokens with no key of its own");
    }
    JWKSource<SecurityContext> keys =
        JWKSourceBuilder.create(
                metadata.getJWKSetURI().toURL(),
                new DefaultResourceRetriever(PATIENCE_MILLIS, PATIENCE_MILLIS, LARGEST_KEYS))
            .refreshAheadCache(false)
            .build();
    return new IDTokenValidator(
        metadata.getIssuer(),
        new ClientID(config.client().id()),
        new JWSVerificationKeySelector<>(algorithms, keys),
        null);
  }

  private SignInFailure unavailable(IOException e) {
    return new SignInFailure(
        Reason.UNAVAILABLE,
        "the identity provider " + config.issuer() + " does not answer: " + e.getMessage(),
        e);
  }
}
