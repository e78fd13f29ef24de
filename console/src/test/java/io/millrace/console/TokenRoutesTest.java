package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.operator.SessionRoutes.SignedIn;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.api.operator.TokenRoutes.TokenPage;
import io.millrace.console.api.operator.TokenRoutes.TokenState;
import io.millrace.console.api.operator.TokenRoutes.TokenSummary;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tokens with an end, over HTTP. */
class TokenRoutesTest {
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final ConsoleConfig BOUNDED =
      new ConsoleConfig(
          "127.0.0.1",
          0,
          null,
          ConsoleConfig.DEFAULT_SESSION,
          LONGEST,
          List.of(),
          null,
          HttpLimits.DEFAULT);

  private static RunningConsole console;

  @BeforeAll
  static void open() {
    console = RunningConsole.with(TestDatabase.h2(), BOUNDED);
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static Answered issue(String name, String more) throws Exception {
    return console
        .ask("POST", "/api/v1/tokens")
        .json("{\"name\":\"%s\",\"role\":\"VIEW\"%s}".formatted(name, more))
        .send();
  }

  private static IssuedToken issued(String name, Duration life) throws Exception {
    return issue(name, ",\"expires\":\"" + life + "\"").as(IssuedToken.class);
  }

  private static TokenSummary summary(String name) throws Exception {
    return console.ask("GET", "/api/v1/tokens").send().as(TokenPage.class).items().stream()
        .filter(token -> token.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  private static Answered signIn(String token) throws Exception {
    return console.request("POST", "/api/v1/session").json("{\"token\":\"" + token + "\"}").send();
  }

  private static Answered within(Answered session) throws Exception {
    return console
        .request("GET", "/api/v1/session")
        .header("Cookie", Objects.requireNonNull(session.cookie()))
        .send();
  }

  /** As if the token had been issued a year and more ago. */
  private static void expire(String name) {
    long passed = Duration.ofDays(400).toMillis();
    console
        .database()
        .execute(
            "UPDATE jt_operator_token SET created_at = created_at - %d, expires_at = expires_at - %d WHERE name = '%s'"
                .formatted(passed, passed, name));
  }

  @Test
  void everyTokenHasAnEndWhereALongestLifeIsConfigured() throws Exception {
    Instant soonest = Instant.now().plus(LONGEST).minusSeconds(60);
    IssuedToken byDefault = issue("by-default", "").as(IssuedToken.class);

    assertThat(byDefault.expiresAt()).isAfter(soonest);
    assertThat(summary("by-default").expiresAt()).isEqualTo(byDefault.expiresAt());
    assertThat(summary("admin").expiresAt()).as("of the first token").isAfter(soonest);
    assertThat(issue("too-long", ",\"expires\":\"P366D\"").status()).isEqualTo(422);
    assertThat(issue("too-long", ",\"expires\":\"P366D\"").as(Problem.class).detail())
        .contains("at most 365d", "console.max-token-life");
    assertThat(issue("too-short", ",\"expires\":\"PT1S\"").status()).isEqualTo(422);
    assertThat(issue("wrong", ",\"expires\":\"soon\"").status()).isEqualTo(400);
  }

  @Test
  void listMarksWhatExpiresSoonAndWhatHasExpired() throws Exception {
    issued("later", Duration.ofDays(15));
    issued("soon", Duration.ofDays(13));
    issued("over", Duration.ofDays(15));
    issued("gone", Duration.ofDays(15));
    expire("over");
    assertThat(console.ask("DELETE", "/api/v1/tokens/gone").send().status()).isEqualTo(204);

    assertThat(summary("later").state()).isEqualTo(TokenState.VALID);
    assertThat(summary("soon").state()).isEqualTo(TokenState.EXPIRES_SOON);
    assertThat(summary("over").state()).isEqualTo(TokenState.EXPIRED);
    assertThat(summary("gone").state()).isEqualTo(TokenState.REVOKED);
  }

  @Test
  void tokenThatHasExpiredAndItsSessionsAreRefused() throws Exception {
    String token = issued("leaver", Duration.ofHours(1)).token();
    Answered session = signIn(token);
    assertThat(session.as(SignedIn.class).expiresAt()).isEqualTo(summary("leaver").expiresAt());
    assertThat(within(session).status()).isEqualTo(200);

    expire("leaver");

    assertThat(within(session).status()).isEqualTo(401);
    for (Answered refused :
        List.of(console.request("GET", "/api/v1/jobs").token(token).send(), signIn(token))) {
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.as(Problem.class).code()).isEqualTo("TOKEN_EXPIRED");
      assertThat(refused.as(Problem.class).detail())
          .contains("leaver", "expired at " + summary("leaver").expiresAt());
    }
  }

  @Test
  void tokenIsRenewedUnderItsName() throws Exception {
    String former = issued("robot", Duration.ofDays(90)).token();
    expire("robot");

    Answered answer = console.ask("POST", "/api/v1/tokens/robot/renew").send();
    assertThat(answer.status()).isEqualTo(200);
    IssuedToken renewed = answer.as(IssuedToken.class);
    assertThat(renewed.token()).startsWith("mrt_").isNotEqualTo(former);
    assertThat(console.request("GET", "/api/v1/jobs").token(renewed.token()).send().status())
        .isEqualTo(200);
    assertThat(console.request("GET", "/api/v1/jobs").token(former).send().status()).isEqualTo(401);
    assertThat(summary("robot").renewedAt()).isAfter(summary("robot").createdAt());

    Answered shorter =
        console.ask("POST", "/api/v1/tokens/robot/renew").json("{\"expires\":\"P7D\"}").send();
    assertThat(shorter.as(IssuedToken.class).expiresAt())
        .isBefore(Instant.now().plus(Duration.ofDays(8)));
    assertThat(console.ask("GET", "/api/v1/audit?action=renewToken").send().body())
        .contains("/api/v1/tokens/robot/renew")
        .doesNotContain("mrt_");
  }

  @Test
  void renewalThatIsNotPossibleIsRefused() throws Exception {
    issue("ended", "");
    assertThat(console.ask("DELETE", "/api/v1/tokens/ended").send().status()).isEqualTo(204);

    assertThat(console.ask("POST", "/api/v1/tokens/ended/renew").send().status()).isEqualTo(404);
    assertThat(console.ask("POST", "/api/v1/tokens/no-one/renew").send().status()).isEqualTo(404);
    issue("long", "");
    assertThat(
            console
                .ask("POST", "/api/v1/tokens/long/renew")
                .json("{\"expires\":\"P400D\"}")
                .send()
                .status())
        .isEqualTo(422);
  }

  @Test
  void lastUseIsShownAtOnceAndKeptByTheDatabase() throws Exception {
    String token = issue("user", "").as(IssuedToken.class).token();
    assertThat(summary("user").lastUsedAt()).isNull();
    Instant before = Instant.now().minusSeconds(5);

    try (RunningConsole other = console.another()) {
      assertThat(other.request("GET", "/api/v1/jobs").token(token).send().status()).isEqualTo(200);
      TokenPage seenThere = other.ask("GET", "/api/v1/tokens").send().as(TokenPage.class);
      assertThat(seenThere.items())
          .filteredOn(each -> each.name().equals("user"))
          .allMatch(each -> "127.0.0.1".equals(each.lastUsedFrom()));
      assertThat(summary("user").lastUsedAt()).as("not written yet").isNull();
    }

    assertThat(summary("user").lastUsedAt()).as("written at the end").isAfter(before);
    assertThat(summary("user").lastUsedFrom()).isEqualTo("127.0.0.1");
  }

  @Test
  void renewingTheOwnTokenKeepsTheOwnSession() throws Exception {
    String token = issue("self", "").as(IssuedToken.class).token();
    console.database().execute("UPDATE jt_operator_token SET role = 'ADMIN' WHERE name = 'self'");
    Answered asking = signIn(token);
    Answered other = signIn(token);

    Answered renewed =
        console
            .request("POST", "/api/v1/tokens/self/renew")
            .header("Cookie", Objects.requireNonNull(asking.cookie()))
            .header("X-CSRF-Token", String.valueOf(asking.as(SignedIn.class).csrfToken()))
            .send();

    assertThat(renewed.status()).isEqualTo(200);
    assertThat(within(asking).status()).isEqualTo(200);
    assertThat(within(other).status()).isEqualTo(401);
  }
}
