package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is let in, what stays after a reload, and what those see who may only look. */
@InBrowser
class SignInTest {
  /** What changes nothing on the tracker. */
  private static final Set<String> HARMLESS =
      Set.of(
          "Search",
          "Search Ctrl K",
          "Save this search",
          "Clear",
          "Copy as command",
          "Copy as curl",
          "Hour",
          "Day",
          "Display",
          "Sign out",
          "Skip to the page",
          "☰ Pages",
          "Show more lines");

  /** The head of a column that sorts the list. */
  private static final Pattern SORTS = Pattern.compile(".+ [▲▼↕]");

  @BeforeEach
  void come(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
  }

  @Test
  void wrongTokenIsRefusedAndTheRightOneIsNot(Operator operator, ConsoleScene scene) {
    assertThat(operator.text()).doesNotContain("Overview");

    operator.type("Token", "mrt_unknown");
    operator.click("Sign in");
    operator.seesIn(".problem", "token");
    assertThat(operator.canClick("Sign in")).isTrue();
    operator.signIn(scene.alice());

    assertThat(operator.heading()).isEqualTo("Overview");
    assertThat(operator.text()).contains("alice", "operator", "Is everything all right?");
  }

  @Test
  void addressOfAPageLeadsThereAlsoAfterAReload(Operator operator, ConsoleScene scene) {
    operator.open("/jobs/reports/daily-sales");
    operator.signIn(scene.alice());
    assertThat(operator.heading()).isEqualTo("daily-sales");

    operator.open("/history?status=DEAD&group=billing");
    operator.reload();

    assertThat(operator.heading()).isEqualTo("History");
    assertThat(operator.holds("Node group")).isEqualTo("billing");
    assertThat(operator.holds("Outcome")).isEqualTo("DEAD");
    assertThat(operator.row("charge:7303")).contains("dead", "the card was refused");
    operator.browser().driver().navigate().back();
    operator.settle();
    assertThat(operator.heading()).isEqualTo("daily-sales");
  }

  /** The answer on the session comes last, and what the page shows until then is noted. */
  private static final String LATE_SESSION =
      """
      const ask = window.fetch;
      window.fetch = async (...args) => {
        if (String(args[0]).endsWith('/session')) {
          await new Promise((goOn) => setTimeout(goOn, 300));
        }
        return ask(...args);
      };
      window.formsSeen = 0;
      new MutationObserver(() => {
        window.formsSeen += document.querySelector('#token') ? 1 : 0;
      }).observe(document, { childList: true, subtree: true });
      """;

  @Test
  void whoIsSignedInNeverSeesThePageToSignIn(Operator operator, ConsoleScene scene) {
    Object script =
        operator
            .browser()
            .devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", LATE_SESSION))
            .get("identifier");
    try {
      operator.reload();
      assertThat(operator.script("return formsSeen")).isNotEqualTo(0L);

      operator.signIn(scene.alice());
      operator.reload();

      assertThat(operator.heading()).isEqualTo("Overview");
      assertThat(operator.script("return formsSeen")).isEqualTo(0L);
    } finally {
      operator
          .browser()
          .devTools("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
    }
  }

  @Test
  void addressOfNoPageSaysSo(Operator operator, ConsoleScene scene) {
    operator.open("/nowhere");
    operator.signIn(scene.alice());

    assertThat(operator.heading()).isEqualTo("Page not found");
    assertThat(operator.text()).contains("The console has no page /nowhere.");
    operator.click("Go to the overview");
    operator.sees("Is everything all right?");
    operator.sees("attempts retried");
  }

  @Test
  void whoSignsOutIsOut(Operator operator, ConsoleScene scene) {
    operator.signIn(scene.alice());

    operator.click("Sign out");
    operator.sees("Token");
    operator.reload();

    assertThat(operator.canClick("Sign in")).isTrue();
    assertThat(operator.text()).doesNotContain("Overview");
  }

  @Test
  void sessionThatHasEndedSaysSoAtTheNextStep(Operator operator, ConsoleScene scene) {
    operator.signIn(scene.alice());
    operator.browser().driver().manage().deleteAllCookies();

    operator.script("location.hash = '#/jobs'");

    operator.isAsked("The session has ended. Sign in again.");
    operator.signIn(scene.alice());
    assertThat(operator.heading()).isEqualTo("Jobs");
  }

  @Test
  void whoMayOnlyLookSeesNothingThatChangesAnything(Operator operator, ConsoleScene scene) {
    operator.signIn(scene.viewer());
    Set<String> seen = new TreeSet<>();
    for (Map.Entry<String, String> page : ConsolePages.of(scene).entrySet()) {
      operator.open(page.getValue());
      seen.addAll(operator.texts("button"));
      List<String> boxes = operator.texts("main input[type=checkbox]");
      if (!page.getKey().equals("execution")) {
        assertThat(boxes).as("boxes to tick on %s", page.getKey()).isEmpty();
      }
    }

    seen.removeIf(name -> SORTS.matcher(name).matches());
    assertThat(HARMLESS).containsAll(seen);
    assertThat(seen).contains("Search", "Sign out");
    operator.open("/submit");
    assertThat(operator.text())
        .contains("Your token has the role viewer, which may not submit jobs.");
    operator.open("/tokens");
    assertThat(operator.texts("main form")).isEmpty();
    assertThat(operator.text()).contains("has the role viewer, which may not manage tokens");
  }
}
