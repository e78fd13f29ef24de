package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobDetail;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The one search for everything. */
@InBrowser
class FinderTest {
  private static final String FOUND = "#found li";
  private static final String CHOSEN = "#found li[aria-selected=true]";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static void find(Operator operator, CharSequence text) {
    operator.press(Keys.chord(Keys.CONTROL, "k"));
    operator.isAsked("results.");
    operator.press(text);
  }

  @Test
  void jobIsFoundByAPartOfItsNameAndOpenedByEnter(Operator operator, ConsoleScene scene) {
    operator.open("/history");
    find(operator, "DAILY-sa");
    operator.seesIn(FOUND, "daily-sales reports");
    assertThat(operator.texts(CHOSEN)).singleElement().asString().startsWith("job");
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.press(Keys.ENTER);

    operator.seesIn("h1", "daily-sales");
    assertThat(operator.address()).endsWith("/#/jobs/reports/daily-sales");
    assertThat(operator.dialog()).isEmpty();
  }

  @Test
  void whatHasAnIdIsFoundByIt(Operator operator, ConsoleScene scene) {
    find(operator, scene.deadTrigger());
    operator.seesIn(FOUND, "dead trigger " + scene.deadTrigger());
    operator.press(Keys.ESCAPE);
    assertThat(operator.dialog()).isEmpty();

    find(operator, scene.executionUnderWay());
    operator.seesIn(FOUND, "execution " + scene.executionUnderWay());
    operator.press(Keys.ENTER);

    operator.sees("What did this execution do, and how did it end?");
  }

  @Test
  void groupsWorkersPagesAndOneShotsAreFound(Operator operator, ConsoleScene scene) {
    scene
        .client()
        .submit(
            Job.builder("orders", "once/<b>:1")
                .at(Instant.now().plus(Duration.ofHours(2)))
                .build());
    find(operator, "bill");
    operator.seesIn(FOUND, "node group billing");
    operator.seesIn(FOUND, "worker billing-1 billing");
    operator.press(Keys.chord(Keys.CONTROL, "a"), "orders/once/<b>:1");
    operator.seesIn(FOUND, "one-shot once/<b>:1 orders");
    operator.press(Keys.chord(Keys.CONTROL, "a"), "timel");
    operator.seesIn(FOUND, "list All dead triggers whose job name begins with");
    operator.press(Keys.ARROW_DOWN);
    operator.seesIn(CHOSEN, "list All recurring jobs");
    operator.press(Keys.ARROW_UP);
    operator.press(Keys.ENTER);

    operator.seesIn("h1", "Timeline");
    scene.client().cancel("orders", "once/<b>:1");
  }

  @Test
  void jobIsPausedAndResumedByACommand(Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("orders", "nightly-tidy").cron("0 0 5 1 1 ?").build());
    operator.open("/audit");
    find(operator, "pause nightly-ti");
    operator.seesIn(CHOSEN, "command Pause: nightly-tidy orders");
    assertThat(operator.texts(FOUND)).noneMatch(found -> found.contains("Resume"));
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.press(Keys.ENTER);
    operator.isAsked("Pause orders/nightly-tidy?");
    operator.click("Pause");
    operator.sees("orders/nightly-tidy is paused.");
    assertThat(operator.heading()).isEqualTo("Audit");
    assertThat(stateOfTidy(scene)).isEqualTo("PAUSED");

    find(operator, "resume orders/nightly-tidy");
    operator.seesIn(CHOSEN, "command Resume: nightly-tidy orders");
    operator.press(Keys.ENTER);
    operator.sees("orders/nightly-tidy fires again.");
    assertThat(stateOfTidy(scene)).isEqualTo("ACTIVE");
    scene.client().cancel("orders", "nightly-tidy");
  }

  private static String stateOfTidy(ConsoleScene scene) {
    return String.valueOf(scene.get("/jobs/orders/nightly-tidy", JobDetail.class).state());
  }

  @Test
  void whoMayOnlyViewIsOfferedTheLookOfTheConsole(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.viewer());
    find(operator, "pause daily-sales");
    operator.seesIn(FOUND, "list");
    assertThat(operator.texts(FOUND)).noneMatch(found -> found.startsWith("command"));

    operator.press(Keys.chord(Keys.CONTROL, "a"), "dark");
    operator.seesIn(CHOSEN, "command Theme: Dark");
    operator.press(Keys.ENTER);
    assertThat(operator.script("return document.documentElement.dataset.theme")).isEqualTo("dark");
    assertThat(operator.dialog()).isEmpty();
    find(operator, "as the system");
    operator.seesIn(CHOSEN, "As the system");
    operator.press(Keys.ENTER);
    find(operator, "sign out");
    operator.seesIn(CHOSEN, "command Sign out");
    operator.press(Keys.ENTER);
    operator.sees("Token");
  }

  @Test
  void whatIsNotFoundLeadsToTheLists(Operator operator, ConsoleScene scene) {
    find(operator, "no-such-thing");
    operator.seesIn(CHOSEN, "All recurring jobs whose name contains");
    operator.press(Keys.ENTER);

    operator.sees("No recurring job matches.");
    assertThat(operator.address()).endsWith("/#/jobs?contains=no-such-thing");
  }

  @Test
  void pagesThatOneMayNotOpenAreNotOffered(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.viewer());

    operator.click("Search Ctrl K");
    operator.isAsked("results.");

    assertThat(operator.texts(FOUND))
        .contains("page Jobs", "page History")
        .doesNotContain("page Tokens")
        .noneMatch(page -> page.contains("Submit"));
  }

  @Test
  void searchAfterTheSessionHasEndedLeadsToSignIn(Operator operator, ConsoleScene scene) {
    operator.open("/audit");
    find(operator, "daily");
    operator.seesIn(FOUND, "daily-sales");
    operator.browser().driver().manage().deleteAllCookies();
    operator.press("-sales");

    operator.isAsked("The session has ended.");
    assertThat(operator.texts("dialog.finder")).isEmpty();
    operator.type("Token", scene.alice());
    operator.click("Sign in");
    operator.settle();

    assertThat(operator.dialog()).isEmpty();
    assertThat(operator.heading()).isEqualTo("Audit");
  }

  @Test
  void searchIsNotOpenedOverAQuestion(Operator operator, ConsoleScene scene) {
    operator.open("/jobs/reports/weekly-summary");
    operator.click("Pause");
    operator.isAsked("Pause reports/weekly-summary?");

    operator.press(Keys.chord(Keys.CONTROL, "k"));

    assertThat(operator.script("return document.querySelectorAll('dialog[open]').length"))
        .isEqualTo(1L);
    operator.click("Back");
  }
}
