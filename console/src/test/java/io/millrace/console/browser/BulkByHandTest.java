package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobRoutes.JobPage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the rows that are selected, which go on while the operator is on other pages. */
@InBrowser
class BulkByHandTest {
  /** A page of the list. */
  private static final int MANY = 50;

  /** All changes but the first few wait until they are let go, or are lost, as the test says. */
  private static final String HOLD =
      """
      const [first] = arguments;
      const ask = window.fetch;
      let asked = 0;
      const held = new Promise((goOn) => (window.letGo = goOn));
      window.fetch = async (url, options) => {
        if (options?.method === 'POST' && /(cancel|pause|terminate)$/.test(url)) {
          if (asked++ >= first) {
            await held;
          }
          if (window.isLost) {
            throw new TypeError('lost');
          }
        }
        return ask(url, options);
      };
      """;

  /** What waits for a tracker that is lost waits a moment only. */
  private static final String HURRY =
      """
      const later = window.setTimeout;
      window.setTimeout = (act, millis, ...rest) =>
        later(act, millis >= 1_000 && millis <= 5_000 ? 1 : millis, ...rest);
      """;

  private static final String LEAVE =
      """
      const leaving = new Event('beforeunload', { cancelable: true });
      dispatchEvent(leaving);
      return leaving.defaultPrevented;
      """;

  private static final String HIDE =
      "Object.defineProperty(document, 'hidden', { value: true, configurable: true })";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static void submit(ConsoleScene scene, String group, int count) {
    Instant at = Instant.now().plus(Duration.ofHours(5));
    scene
        .client()
        .submitAll(
            IntStream.range(0, count)
                .mapToObj(i -> Job.builder(group, "letter:%04d".formatted(i)).at(at).build())
                .toList());
  }

  private static List<String> waiting(ConsoleScene scene, String group) {
    return scene.console().database().query("SELECT task_id FROM jt_waiting_" + group);
  }

  private static void cancelPage(Operator operator, String group) {
    operator.open("/waiting?order=name&group=" + group);
    operator.tick("Select all on this page");
    operator.click("Cancel job: all that are selected");
    operator.isAsked("Cancel 50 one-shots?");
    operator.click("Cancel 50");
  }

  private static boolean isAskedBeforeLeaving(Operator operator) {
    return Boolean.TRUE.equals(operator.script(LEAVE));
  }

  @Test
  void cancelGoesOnWhileOtherPagesAreSeen(Operator operator, ConsoleScene scene) {
    submit(scene, "goeson", MANY);
    operator.script(HOLD, 4);
    assertThat(isAskedBeforeLeaving(operator)).isFalse();
    cancelPage(operator, "goeson");
    operator.seesIn(".chip", "Cancelling 4 of 50");

    operator.click("Jobs");
    operator.seesIn("h1", "Jobs");
    operator.seesIn(".chip", "Cancelling 4 of 50");
    assertThat(isAskedBeforeLeaving(operator)).isTrue();
    operator.click("Changes by this tab");
    operator.isAsked("4 of 50 · under way");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.click("Waiting");
    operator.seesIn("h1", "Waiting");
    assertThat(operator.address()).contains("group=goeson").contains("order=name");
    assertThat(operator.dialog()).isEmpty();
    operator.seesIn(".total", "Total: 46");
    operator.script(HIDE);
    operator.browser().putMouseAside();
    operator.script("window.letGo()");

    operator.sees("Waiting, Cancel job: 50 of 50 done.");
    operator.sees("Nothing that matches is waiting.");
    operator.seesIn(".total", "Total: 0");
    assertThat(waiting(scene, "goeson")).isEmpty();
    assertThat(isAskedBeforeLeaving(operator)).isFalse();
    operator.click("Changes by this tab");
    operator.isAsked("50 of 50 · ended");
    operator.click("Remove those that have ended");
    assertThat(operator.texts(".chip")).isEmpty();
  }

  @Test
  void progressIsAnnouncedFourTimes(Operator operator, ConsoleScene scene) {
    submit(scene, "announced", MANY);
    operator.script(
        """
        window.announced = [];
        new MutationObserver(() => {
          const said = document.querySelector('header .unseen[role=status]').textContent;
          if (said && said !== window.announced.at(-1)) {
            window.announced.push(said);
          }
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
        """);
    cancelPage(operator, "announced");
    operator.sees("50 of 50 done.");

    List<?> said = (List<?>) Objects.requireNonNull(operator.script("return window.announced"));
    assertThat(said).hasSizeBetween(1, 4);
  }

  @Test
  void cancelOfManyIsStopped(Operator operator, ConsoleScene scene) {
    submit(scene, "stops", MANY);
    operator.script(HOLD, 40);
    cancelPage(operator, "stops");
    operator.seesIn(".chip", "Cancelling 40 of 50");

    operator.click("Changes by this tab");
    operator.click("Stop here");
    operator.isAsked("stopped");
    operator.script("window.letGo()");

    operator.sees("44 of 50 done.");
    assertThat(waiting(scene, "stops")).hasSize(MANY - 44);
  }

  @Test
  void itGoesOnAfterTheSessionHasEndedAndTheSameUserIsBack(Operator operator, ConsoleScene scene) {
    submit(scene, "sessions", MANY);
    operator.script(HOLD, 8);
    cancelPage(operator, "sessions");
    operator.seesIn(".chip", "Cancelling 8 of 50");
    operator.open("/jobs");
    operator.browser().driver().manage().deleteAllCookies();
    operator.script("window.letGo()");

    operator.isAsked("The session has ended.");
    operator.seesIn(".chip", "waits until you sign in");
    assertThat(waiting(scene, "sessions")).hasSize(MANY - 8);
    operator.type("Token", scene.alice());
    operator.click("Sign in");

    operator.sees("50 of 50 done.");
    assertThat(operator.text()).doesNotContain("failed:");
    assertThat(waiting(scene, "sessions")).isEmpty();
  }

  @Test
  void anotherUserDoesNotGoOnWithIt(Operator operator, ConsoleScene scene) {
    submit(scene, "others", MANY);
    operator.script(HOLD, 8);
    cancelPage(operator, "others");
    operator.seesIn(".chip", "Cancelling 8 of 50");
    operator.browser().driver().manage().deleteAllCookies();
    operator.script("window.letGo()");
    operator.isAsked("The session has ended.");

    operator.type("Token", scene.admin());
    operator.click("Sign in");

    operator.seesIn(".who", "admin");
    operator.sees("8 of 50 done.");
    assertThat(operator.texts(".chip")).isEmpty();
    assertThat(waiting(scene, "others")).hasSize(MANY - 8);
  }

  @Test
  void whatTheTrackerDidNotAnswerIsTriedAgain(Operator operator, ConsoleScene scene) {
    submit(scene, "lost", MANY);
    operator.script(HOLD, 8);
    operator.script("window.isLost = true; window.letGo()");
    cancelPage(operator, "lost");
    operator.seesIn(".chip", "waits for the tracker");

    operator.script("window.isLost = false");

    operator.sees("50 of 50 done.");
    assertThat(waiting(scene, "lost")).isEmpty();
  }

  @Test
  void trackerThatStaysAwayEndsIt(Operator operator, ConsoleScene scene) {
    submit(scene, "away", MANY);
    operator.script(HURRY);
    operator.script(HOLD, 8);
    operator.script("window.isLost = true; window.letGo()");
    cancelPage(operator, "away");

    operator.sees("The tracker did not answer for some minutes: the rest was not tried.");
    operator.sees("0 of 50 done.");
    assertThat(operator.text()).doesNotContain("failed:");
    assertThat(waiting(scene, "away")).hasSize(MANY);
  }

  @Test
  void jobsThatAreSelectedArePausedAndWhatFailedIsSaid(Operator operator, ConsoleScene scene)
      throws Exception {
    scene
        .client()
        .submitAll(
            IntStream.range(0, 40)
                .mapToObj(i -> Job.builder("retail", "job-" + i).cron("0 0 5 1 1 ?").build())
                .toList());
    operator.open("/jobs?group=retail");
    operator.tick("Select all on this page");
    operator.click("Pause the selected jobs");
    operator.isAsked("Pause 40 jobs?");
    operator.type("Reason, shown to other users", "stocktaking");
    operator.script(HOLD, 30);
    operator.click("Pause");
    operator.seesIn(".chip", "Pausing 30 of 40");
    scene.as(scene.admin(), "POST", "/jobs/retail/job-9/cancel", null);
    operator.script("window.letGo()");

    operator.sees("39 of 40 done. 1 failed: ");
    operator.click("Changes by this tab");
    operator.isAsked("1 failed");
    operator.isAsked("retail/job-9: ");
    operator.click("Back");
    assertThat(
            scene.get("/jobs?group=retail&limit=500&state=PAUSED", JobPage.class).items().stream()
                .map(job -> Objects.requireNonNull(job.pause()).reason()))
        .hasSize(39)
        .containsOnly("stocktaking");
  }

  @Test
  void signOutAsksAndStopsIt(Operator operator, ConsoleScene scene) {
    submit(scene, "signsout", MANY);
    operator.script(HOLD, 8);
    cancelPage(operator, "signsout");
    operator.seesIn(".chip", "Cancelling 8 of 50");
    operator.click("Sign out");
    operator.isAsked("Sign out and stop the changes by this tab?");
    operator.click("Back");
    operator.seesIn(".chip", "Cancelling 8 of 50");

    operator.click("Sign out");
    operator.isAsked("the rest is not changed");
    operator.click("Sign out");
    operator.sees("Token");
    operator.script("window.letGo()");

    operator.sees("8 of 50 done.");
    assertThat(waiting(scene, "signsout")).hasSize(MANY - 8);
  }
}
