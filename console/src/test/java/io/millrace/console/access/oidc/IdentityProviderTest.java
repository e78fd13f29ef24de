package io.millrace.console.access.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.millrace.console.access.oidc.SignInFailure.Reason;
import io.millrace.internal.time.ManualClock;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a provider says is believed only if it is signed by the provider for this sign-in. */
class IdentityProviderTest {
  private final Attempt attempt = Attempt.begin("#/");
  private final ManualClock clock = new ManualClock(0);
  private FakeProvider fake;
  private IdentityProvider provider;

  @BeforeEach
  void start() throws Exception {
    fake = new FakeProvider();
    provider = new IdentityProvider(fake.config(), clock);
  }

  @AfterEach
  void stop() {
    fake.close();
  }

  private JWTClaimsSet claims(UnaryOperator<JWTClaimsSet.Builder> change) {
    return fake.claims(attempt, change);
  }

  private void isRefused(Reason reason, String why) {
    assertThatExceptionOfType(SignInFailure.class)
        .as(why)
        .isThrownBy(() -> provider.identify("code", attempt))
        .satisfies(failure -> assertThat(failure.reason()).as(why).isEqualTo(reason));
  }

  @Test
  void aSignedTokenOfThisSignInSaysWhoSomebodyIs() throws Exception {
    fake.issues(claims(good -> good));

    assertThat(provider.identify("code-1", attempt))
        .isEqualTo(new Identity(fake.issuer().toString(), "1", "ann", List.of("staff")));

    assertThat(fake.asked("/token"))
        .contains(
            "grant_type=authorization_code",
            "code=code-1",
            "code_verifier=" + attempt.verifier(),
            "redirect_uri=https://millrace.example.org/api/v1/session/provider/callback");
  }

  @Test
  void theProviderIsAskedWithoutTheSecretOfTheSignIn() throws Exception {
    String address = provider.askAt(attempt).toString();

    assertThat(address)
        .startsWith(fake.issuer() + "/authorize?")
        .contains("state=" + attempt.state(), "nonce=" + attempt.nonce(), "scope=openid+profile")
        .contains("code_challenge_method=S256")
        .doesNotContain(attempt.secret(), attempt.verifier(), FakeProvider.SECRET);
  }

  @Test
  void aTokenOfAnotherKindIsRefused() throws Exception {
    fake.issues(claims(bad -> bad.claim("nonce", "another")));
    isRefused(Reason.INVALID, "nonce of another sign-in");
    fake.issues(claims(bad -> bad.claim("nonce", null)));
    isRefused(Reason.INVALID, "no nonce");
    fake.issues(claims(bad -> bad.audience("another client")));
    isRefused(Reason.INVALID, "for another client");
    fake.issues(claims(bad -> bad.issuer("http://localhost:1")));
    isRefused(Reason.INVALID, "of another issuer");
    fake.issues(claims(bad -> bad.subject(null)));
    isRefused(Reason.INVALID, "about no person");
    Date past = Date.from(new Date().toInstant().minus(Duration.ofMinutes(5)));
    fake.issues(claims(bad -> bad.expirationTime(past)));
    isRefused(Reason.INVALID, "expired");
  }

  @Test
  void aTokenThatTheProviderHasNotSignedIsRefused() throws Exception {
    JWTClaimsSet good = claims(all -> all);
    fake.issues(new PlainJWT(good).serialize());
    isRefused(Reason.INVALID, "not signed");
    fake.issues(
        FakeProvider.signed(good, JWSAlgorithm.RS256, new RSASSASigner(FakeProvider.newKey())));
    isRefused(Reason.INVALID, "signed with another key");
    fake.issues(FakeProvider.signed(good, JWSAlgorithm.HS256, new MACSigner(FakeProvider.SECRET)));
    isRefused(Reason.INVALID, "signed with the secret of the client");
    fake.issues("no token");
    isRefused(Reason.INVALID, "no token");
    fake.says("/token", "{\"access_token\":\"access\",\"token_type\":\"Bearer\"}");
    isRefused(Reason.INVALID, "left out");
    fake.says("/token", "[]");
    isRefused(Reason.INVALID, "no object");
  }

  @Test
  void claimsThatTheTokenLacksAreAskedFor() throws Exception {
    fake.issues(claims(thin -> thin.claim("groups", null)));
    fake.says(
        "/userinfo", "{\"sub\":\"1\",\"groups\":[\"admins\"],\"preferred_username\":\"bob\"}");
    assertThat(provider.identify("code", attempt))
        .isEqualTo(new Identity(fake.issuer().toString(), "1", "ann", List.of("admins")));

    fake.says("/userinfo", "{\"sub\":\"2\",\"groups\":[\"admins\"]}");
    assertThat(provider.identify("code", attempt).values()).as("of another person").isEmpty();
  }

  @Test
  void aProviderThatIsAwayIsAskedAgain() throws Exception {
    fake.says("/.well-known/openid-configuration", "{\"issuer\":\"https://example.org\"}");
    isRefused(Reason.UNAVAILABLE, "calls itself otherwise");
    FakeProvider away = fake;
    away.close();
    isRefused(Reason.UNAVAILABLE, "does not answer");

    fake = new FakeProvider();
    provider = new IdentityProvider(fake.config(), clock);
    fake.issues(claims(good -> good));
    assertThat(provider.identify("code", attempt).name()).isEqualTo("ann");
    fake.says("/.well-known/openid-configuration", "{}");
    assertThat(provider.identify("code", attempt).name()).isEqualTo("ann");
    clock.advance(Duration.ofHours(1));
    isRefused(Reason.UNAVAILABLE, "asked again after an hour");
  }

  @Test
  void aProviderThatLacksWhatASignInNeedsIsNotUsed() {
    String whole = fake.answer("/.well-known/openid-configuration");
    for (String changed :
        List.of(
            whole.replace("authorization_endpoint", "another_endpoint"),
            whole.replace("token_endpoint", "another_endpoint"),
            whole.replace("jwks_uri", "another_uri"),
            whole.replace("RS256", "HS256"),
            "[]")) {
      fake.says("/.well-known/openid-configuration", changed);
      isRefused(Reason.UNAVAILABLE, changed);
      assertThatExceptionOfType(SignInFailure.class)
          .as(changed)
          .isThrownBy(() -> provider.askAt(attempt));
    }
  }

  @Test
  void aCodeThatIsNotRedeemedSignsNoPersonIn() {
    isRefused(Reason.INVALID, "no answer to the code");
  }
}
