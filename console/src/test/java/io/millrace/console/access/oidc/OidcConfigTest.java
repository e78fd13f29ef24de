package io.millrace.console.access.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.internal.config.ConfigException;
import io.millrace.internal.config.Settings;
import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OidcConfigTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "console.url", "https://millrace.example.org",
          "console.oidc.issuer", "https://login.example.org/realms/main",
          "console.oidc.client-id", "millrace",
          "console.oidc.client-secret", "hidden",
          "console.oidc.roles", "/teams/ops: ADMIN, team: OPERATE orders billing-*, *: VIEW");

  private static OidcConfig read(Map<String, String> values) {
    Settings settings = Settings.of("test", values);
    OidcConfig config = new OidcConfigReader(settings).read();
    settings.finish();
    return Objects.requireNonNull(config);
  }

  @Test
  void aConfigurationSaysWhoMayDoWhat() {
    OidcConfig config = read(GOOD);

    assertThat(config.callback())
        .hasToString("https://millrace.example.org/api/v1/session/provider/callback");
    assertThat(config.rules())
        .containsExactly(
            new OidcRule("/teams/ops", Role.ADMIN, NodeGroups.ALL),
            new OidcRule("team", Role.OPERATE, NodeGroups.of(List.of("orders", "billing-*"))),
            new OidcRule("*", Role.VIEW, NodeGroups.ALL));
    assertThat(config.toString()).doesNotContain("hidden");
  }

  private static Rights rightsOf(String rules, String... values) {
    Map<String, String> all = new HashMap<>(GOOD);
    all.put("console.oidc.roles", rules);
    return read(all).rightsOf(List.of(values)).orElseThrow();
  }

  private static Rights operator(String... groups) {
    return Rights.of(Role.OPERATE, NodeGroups.of(List.of(groups)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "team: OPERATE orders billing-*, *: VIEW, /teams/ops: ADMIN",
        "/teams/ops: ADMIN, *: VIEW, team: OPERATE orders billing-*"
      })
  void allRulesAboutAPersonDecideTogether(String rules) {
    assertThat(rightsOf(rules, "team"))
        .isEqualTo(
            new Rights(Role.VIEW, NodeGroups.ALL, NodeGroups.of(List.of("orders", "billing-*"))));
    assertThat(rightsOf(rules, "team", "/teams/ops")).isEqualTo(Rights.of(Role.ADMIN));
    assertThat(rightsOf(rules)).isEqualTo(Rights.of(Role.VIEW));
  }

  @Test
  void aPersonOfTwoTeamsMayDoWhatBothMay() {
    String rules =
        "orders: OPERATE orders, billing: OPERATE billing-*, audit: VIEW reports, all: OPERATE";

    assertThat(rightsOf(rules, "orders", "billing")).isEqualTo(operator("orders", "billing-*"));
    assertThat(rightsOf(rules, "audit", "billing"))
        .isEqualTo(
            new Rights(
                Role.VIEW,
                NodeGroups.of(List.of("billing-*", "reports")),
                NodeGroups.of(List.of("billing-*"))));
    assertThat(rightsOf(rules, "audit", "orders", "all")).isEqualTo(Rights.of(Role.OPERATE));
    assertThat(read(GOOD).rightsOf(List.of())).contains(Rights.of(Role.VIEW));
  }

  @Test
  void tooManyNodeGroupsAreRefusedUnlessAllAreSeen() {
    String many = IntStream.range(0, 20).mapToObj(n -> "g" + n).collect(Collectors.joining(" "));
    String rules = "a: VIEW %s, b: VIEW more, c: OPERATE more, d: VIEW".formatted(many);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> rightsOf(rules, "a", "b"))
        .withMessage("1 to 20 node groups can be named, not 21");
    assertThat(rightsOf(rules, "a", "b", "c", "d"))
        .isEqualTo(new Rights(Role.VIEW, NodeGroups.ALL, NodeGroups.of(List.of("more"))));
  }

  @Test
  void whoIsInNoRuleHasNoRights() {
    Map<String, String> values = new HashMap<>(GOOD);
    values.put("console.oidc.roles", "team: VIEW");
    assertThat(read(values).rightsOf(List.of("guests"))).isEmpty();
  }

  @Test
  void rulesAreWrittenAsTheyAreRead() {
    for (OidcRule rule : read(GOOD).rules()) {
      assertThat(OidcRule.parse(OidcRule.TYPE.writer().apply(rule))).isEqualTo(rule);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "console.oidc.client-id | | console.oidc.issuer needs",
        "console.url | | console.oidc.issuer needs",
        "console.oidc.roles | | console.oidc.issuer needs",
        "console.oidc.issuer | | console.oidc.client-id needs console.oidc.issuer",
        "console.oidc.issuer | http://login.example.org | must begin with https://",
        "console.oidc.issuer | not a URL | must be a URL",
        "console.url | http://millrace.example.org | must begin with https://",
        "console.url | https://example.org/millrace | must have no path",
        "console.oidc.roles | ops | must be VALUE: ROLE",
        "console.oidc.roles | ops: ROOT | must be VALUE: ROLE",
        "console.oidc.roles | ops: ADMIN orders | that role is for all",
        "console.oidc.roles | ops: VIEW a*b | node group",
      })
  void whatIsWrongIsNamed(String key, String value, String message) {
    Map<String, String> values = new HashMap<>(GOOD);
    if (value == null) {
      values.remove(key);
    } else {
      values.put(key, value);
    }

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> read(values))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":VIEW", "a VIEW", "a: VIEWER", "a: view"})
  void aRuleNeedsAValueAndARole(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> OidcRule.parse(text));
  }

  private static Claims claims(String roles, Map<String, Object> all) {
    return new Claims(new OidcConfig.Claims("preferred_username", roles), all);
  }

  @Test
  void claimsHaveManyForms() {
    assertThat(claims("groups", Map.of("groups", List.of("a", "b"))).values())
        .containsExactly("a", "b");
    assertThat(claims("role", Map.of("role", "a b")).values()).containsExactly("a b");
    assertThat(
            claims("realm_access.roles", Map.of("realm_access", Map.of("roles", List.of("a"))))
                .values())
        .containsExactly("a");
    assertThat(claims("https://a.b/roles", Map.of("https://a.b/roles", List.of("c"))).values())
        .containsExactly("c");
    assertThat(claims("a.b", Map.of("a", "text")).values()).isEmpty();
    assertThat(claims("groups", Map.of()).name("42")).isEqualTo("42");
  }

  @Test
  void anAddressThatIsNotVerifiedSaysNothing() {
    assertThat(claims("email", Map.of("email", "a@b.c", "email_verified", true)).values())
        .containsExactly("a@b.c");
    assertThat(claims("email", Map.of("email", "a@b.c", "email_verified", false)).values())
        .isEmpty();
    assertThat(claims("email", Map.of("email", "a@b.c")).values()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://example.org", "//example.org", "/jobs", "#/\r\na: b", "#/ä", ""})
  void whatIsNoPageOfTheConsoleIsReplaced(String page) {
    assertThat(Attempt.begin(page).page()).isEqualTo("#/");
  }

  @Test
  void aCookieHoldsAnAttempt() {
    Attempt attempt = Attempt.begin("#/jobs?contains=a%20b");

    assertThat(Attempt.read(attempt.cookie())).contains(attempt);
    assertThat(attempt.cookie()).matches("[A-Za-z0-9_.-]+");
    assertThat(List.of(attempt.state(), attempt.nonce(), attempt.verifier()))
        .doesNotHaveDuplicates();
    for (String forged : List.of("", ".", "a", "a.!", ".abc", "mri_a.aHR0cHM6Ly9i")) {
      assertThat(Attempt.read(forged)).as(forged).isEmpty();
    }
  }
}
