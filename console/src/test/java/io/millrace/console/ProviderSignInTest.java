package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.access.oidc.SpringProvider;
import io.millrace.console.api.operator.SessionRoutes.SignedIn;
import io.millrace.console.api.operator.TokenRoutes.TokenPage;
import io.millrace.console.api.operator.TokenRoutes.TokenSummary;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** People sign in through a real identity provider. */
class ProviderSignInTest {
  private static final String BEGIN = "/api/v1/session/provider/begin";
  private static final Pattern HIDDEN_CSRF =
      Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

  private static SpringProvider provider;
  private static RunningConsole console;

  @BeforeAll
  static void open() throws IOException {
    int port = freePort();
    provider = SpringProvider.forConsole(URI.create("http://127.0.0.1:" + port));
    console =
        RunningConsole.with(
            TestDatabase.h2(), ConsoleConfig.onLoopback(port).with(provider.config()));
  }

  @AfterAll
  static void close() {
    console.close();
    provider.close();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** A browser, as far as HTTP goes. */
  private static final class Browser {
    private final CookieManager cookies = new CookieManager();
    private final HttpClient http =
        HttpClient.newBuilder()
            .cookieHandler(cookies)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    HttpResponse<String> get(URI address) throws Exception {
      return http.send(
          HttpRequest.newBuilder(address).header("Accept", "text/html").build(),
          HttpResponse.BodyHandlers.ofString());
    }

    /** Follows redirects until there is something else, or the console's pages are next. */
    URI follow(URI address) throws Exception {
      URI at = address;
      for (int i = 0; i < 10 && !at.getPath().equals("/"); i++) {
        HttpResponse<String> response = get(at);
        if (response.statusCode() != 302) {
          return at;
        }
        at = at.resolve(response.headers().firstValue("Location").orElseThrow());
      }
      return at;
    }

    /** Signs in at the provider; returns where the provider sends this browser back to. */
    URI signInAtProvider(String name, String page) throws Exception {
      URI login = follow(URI.create(console.url() + BEGIN + "?page=" + encoded(page)));
      assertThat(login.getPath()).isEqualTo("/login");
      Matcher csrf = HIDDEN_CSRF.matcher(get(login).body());
      assertThat(csrf.find()).isTrue();
      String form =
          "username=%s&password=%s&_csrf=%s".formatted(name, name, encoded(csrf.group(1)));
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(login)
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(HttpRequest.BodyPublishers.ofString(form))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      URI authorize = login.resolve(answer.headers().firstValue("Location").orElseThrow());
      return authorize.resolve(get(authorize).headers().firstValue("Location").orElseThrow());
    }

    /** Signs in at the provider and at the console; returns the page that is next. */
    String signIn(String name, String page) throws Exception {
      URI next = follow(signInAtProvider(name, page));
      return next.getPath() + "#" + next.getFragment();
    }

    SignedIn whoAmI() throws Exception {
      HttpResponse<String> answer = get(URI.create(console.url() + "/api/v1/session"));
      assertThat(answer.statusCode()).isEqualTo(200);
      return new JsonCodec().decodeText(answer.body(), SignedIn.class);
    }

    int status(String path) throws Exception {
      return get(URI.create(console.url() + path)).statusCode();
    }

    List<HttpCookie> cookiesOfConsole() {
      return cookies.getCookieStore().get(URI.create(console.url()));
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static List<String> refusals() {
    return refusals(console);
  }

  private static List<String> refusals(RunningConsole of) {
    return of
        .database()
        .stores()
        .console()
        .audit()
        .search(
            new AuditStore.Query("-", "signIn", null),
            AgeOrder.NEWEST_FIRST,
            Long.MAX_VALUE,
            100,
            1_000)
        .entries()
        .stream()
        .map(entry -> String.valueOf(entry.outcome()))
        .toList();
  }

  private static TokenSummary listed(String name) throws Exception {
    return console.ask("GET", "/api/v1/tokens").send().as(TokenPage.class).items().stream()
        .filter(token -> token.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPersonSignsInWithTheHighestRole() throws Exception {
    Browser browser = new Browser();

    assertThat(browser.signIn("ann", "#/jobs?contains=a%20b")).isEqualTo("/#/jobs?contains=a b");

    SignedIn ann = browser.whoAmI();
    assertThat(ann.name()).isEqualTo("oidc:ann");
    assertThat(ann.role()).isEqualTo(Role.ADMIN);
    assertThat(ann.csrfToken()).isNotNull();
    assertThat(browser.status("/api/v1/tokens")).isEqualTo(200);
    assertThat(listed("oidc:ann").person()).isTrue();
    assertThat(browser.cookiesOfConsole()).extracting(HttpCookie::getName).hasSize(1);
  }

  @Test
  void aRuleCanLimitAPersonToNodeGroups() throws Exception {
    Browser browser = new Browser();

    assertThat(browser.signIn("eve", "#/")).isEqualTo("/#/");

    assertThat(browser.whoAmI().role()).isEqualTo(Role.OPERATE);
    assertThat(browser.whoAmI().nodeGroups()).containsExactly("orders", "billing-*");
    assertThat(browser.status("/api/v1/overview")).isEqualTo(403);
    assertThat(browser.status("/api/v1/tokens")).isEqualTo(403);
    assertThat(listed("oidc:eve").nodeGroups()).containsExactly("orders", "billing-*");
  }

  @Test
  void aPersonMayDoWhatAllRulesTogetherSay() throws Exception {
    Browser browser = new Browser();

    assertThat(browser.signIn("bob", "#/")).isEqualTo("/#/");

    SignedIn bob = browser.whoAmI();
    assertThat(bob.role()).isEqualTo(Role.VIEW);
    assertThat(bob.nodeGroups()).isNull();
    assertThat(bob.operates()).containsExactly("orders", "billing-*");
    assertThat(browser.status("/api/v1/overview")).isEqualTo(200);
    assertThat(browser.status("/api/v1/tokens")).isEqualTo(403);
    assertThat(listed("oidc:bob").operates()).containsExactly("orders", "billing-*");
  }

  @Test
  void rulesThatNameTooManyNodeGroupsAdmitNobody() throws Exception {
    Browser browser = new Browser();

    assertThat(browser.signIn("fay", "#/")).isEqualTo("/#/sign-in/TOO_MANY_GROUPS");

    assertThat(browser.status("/api/v1/session")).isEqualTo(401);
    assertThat(refusals())
        .contains(
            "the rules of console.oidc.roles about fay, whose claim groups has [team-orders,"
                + " team-of-many]: 1 to 20 node groups can be named, not 22");
  }

  @Test
  void thereIsNoEntryWithoutARole() throws Exception {
    Browser browser = new Browser();

    assertThat(browser.signIn("dora", "#/")).isEqualTo("/#/sign-in/NO_ROLE");

    assertThat(browser.status("/api/v1/session")).isEqualTo(401);
    assertThat(refusals())
        .contains("no rule of console.oidc.roles is about dora, whose claim groups has [guests]");
    assertThat(browser.cookiesOfConsole()).isEmpty();
  }

  @Test
  void aRevokedPersonIsOutAtOnceAndCanBeRestored() throws Exception {
    Browser browser = new Browser();
    browser.signIn("cid", "#/");
    assertThat(browser.whoAmI().role()).isEqualTo(Role.VIEW);

    assertThat(console.ask("POST", "/api/v1/tokens/oidc:cid/renew").send().status()).isEqualTo(422);
    assertThat(console.ask("DELETE", "/api/v1/tokens/oidc:cid").send().status()).isEqualTo(204);
    assertThat(browser.status("/api/v1/session")).isEqualTo(401);
    assertThat(new Browser().signIn("cid", "#/")).isEqualTo("/#/sign-in/REVOKED");

    assertThat(console.ask("POST", "/api/v1/tokens/oidc:cid/restore").send().status())
        .isEqualTo(204);
    assertThat(new Browser().signIn("cid", "#/")).isEqualTo("/#/");
    assertThat(console.ask("POST", "/api/v1/tokens/oidc:cid/restore").send().status())
        .isEqualTo(404);
  }

  /** An attacker makes the browser of a victim follow the address that was meant for his own. */
  @Test
  void anAnswerForAnotherBrowserIsRefused() throws Exception {
    URI back = new Browser().signInAtProvider("ann", "#/");
    Browser victim = new Browser();

    assertThat(victim.follow(back).getFragment()).isEqualTo("/sign-in/STALE");
    assertThat(victim.status("/api/v1/session")).isEqualTo(401);

    URI begun = victim.follow(URI.create(console.url() + BEGIN));
    assertThat(begun.getPath()).isEqualTo("/login");
    assertThat(victim.follow(back).getFragment()).isEqualTo("/sign-in/STALE");
    assertThat(victim.status("/api/v1/session")).isEqualTo(401);
  }

  /** The code was stolen on its way, and is redeemed in a sign-in of the thief's. */
  @Test
  void aCodeOfAnotherSignInIsNotRedeemed() throws Exception {
    String code = query(new Browser().signInAtProvider("ann", "#/"), "code");
    Browser thief = new Browser();
    URI own = thief.signInAtProvider("cid", "#/");
    URI forged = URI.create(own.toString().replace(encoded(query(own, "code")), encoded(code)));
    assertThat(forged).isNotEqualTo(own);

    assertThat(thief.follow(forged).getFragment()).isEqualTo("/sign-in/INVALID");
    assertThat(thief.status("/api/v1/session")).isEqualTo(401);
  }

  @Test
  void anAnswerIsGoodOnce() throws Exception {
    Browser browser = new Browser();
    URI back = browser.signInAtProvider("ann", "#/");
    assertThat(browser.follow(back).getFragment()).isEqualTo("/");

    assertThat(browser.follow(back).getFragment()).isEqualTo("/sign-in/STALE");
    assertThat(browser.whoAmI().name()).isEqualTo("oidc:ann");
  }

  @Test
  void aPersonWhoGivesUpAtTheProviderIsToldSo() throws Exception {
    Browser browser = new Browser();
    URI back = browser.signInAtProvider("ann", "#/");
    URI denied =
        URI.create(
            console.url()
                + back.getPath()
                + "?error=access_denied&error_description=x&session_state=1&state="
                + encoded(query(back, "state")));

    assertThat(browser.follow(denied).getFragment()).isEqualTo("/sign-in/DENIED");
    assertThat(browser.status("/api/v1/session")).isEqualTo(401);
  }

  @Test
  void aProviderThatIsAwayIsRecordedAndTokensWork() throws Exception {
    try (SpringProvider away = SpringProvider.forConsole(URI.create("http://127.0.0.1:1"))) {
      ConsoleConfig config = ConsoleConfig.onLoopback(0).with(away.config());
      away.close();
      try (RunningConsole other = RunningConsole.with(TestDatabase.h2(), config)) {
        assertThat(new Browser().follow(URI.create(other.url() + BEGIN)).getFragment())
            .isEqualTo("/sign-in/UNAVAILABLE");

        assertThat(refusals(other))
            .singleElement()
            .asString()
            .startsWith(
                "the identity provider "
                    + Objects.requireNonNull(config.oidc()).issuer()
                    + " does not answer: ");
        assertThat(other.ask("GET", "/api/v1/session").send().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void noSignInLeadsToAnotherSite() throws Exception {
    for (String page : List.of("https://example.org/", "//example.org", "#/\r\nSet-Cookie: a=b")) {
      assertThat(new Browser().signIn("ann", page)).isEqualTo("/#/");
    }
  }

  private static String query(URI address, String name) {
    for (String pair : address.getRawQuery().split("&")) {
      if (pair.startsWith(name + "=")) {
        return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    throw new AssertionError(name + " is missing in " + address);
  }
}
