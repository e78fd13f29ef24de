package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** A session that ends, or that another tab replaces, while a page is open. */
@InBrowser
class SessionTest {
  private static final String SIGN_IN_ELSEWHERE =
      """
      const [token, done] = arguments;
      const headers = { 'Content-Type': 'application/json' };
      fetch('/api/v1/session', { method: 'POST', headers, body: JSON.stringify({ token }) })
        .then(({ status }) => done(status));
      """;

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  /** What another tab of the same browser does: it gets the cookie, this page does not know. */
  private static void signInElsewhere(Operator operator, String token) {
    assertThat(operator.browser().driver().executeAsyncScript(SIGN_IN_ELSEWHERE, token))
        .isEqualTo(201L);
  }

  private static void submit(ConsoleScene scene, String task) {
    scene.client().submit(Job.builder("orders", task).cron("0 0 5 1 1 ?").build());
  }

  private static JobDetail job(ConsoleScene scene, String task) {
    return scene.get("/jobs/orders/" + task, JobDetail.class);
  }

  private static void pause(Operator operator, String task) {
    operator.click("Pause");
    operator.isAsked("Pause orders/" + task + "?");
    operator.click("Pause");
  }

  /** The preview, which follows every input, is what finds out. */
  private static void endSessionWhileTyping(Operator operator) {
    operator.browser().driver().manage().deleteAllCookies();
    operator.script(
        "document.getElementById('job-form').dispatchEvent(new Event('input', { bubbles: true }))");
  }

  @Test
  void changeIsMadeThoughAnotherTabHasSignedInAgain(Operator operator, ConsoleScene scene) {
    submit(scene, "two-tabs");
    operator.open("/jobs/orders/two-tabs");
    signInElsewhere(operator, scene.alice());

    pause(operator, "two-tabs");

    operator.sees("orders/two-tabs is paused.");
    assertThat(job(scene, "two-tabs").state()).isEqualTo(JobCondition.PAUSED);
  }

  @Test
  void nothingIsChangedInTheNameOfSomebodyElse(Operator operator, ConsoleScene scene) {
    submit(scene, "two-people");
    operator.open("/jobs/orders/two-people");
    signInElsewhere(operator, scene.admin());

    pause(operator, "two-people");

    operator.sees("admin has signed in from another tab. Nothing was changed.");
    operator.seesIn(".who", "admin");
    assertThat(operator.texts(".messages p")).hasSize(1);
    assertThat(job(scene, "two-people").state()).isEqualTo(JobCondition.ACTIVE);
  }

  @Test
  void whatWasTypedOutlivesTheSession(Operator operator, ConsoleScene scene) {
    submit(scene, "outlives");
    operator.open("/jobs/orders/outlives/edit");
    operator.type("Handler", "typed-before");
    endSessionWhileTyping(operator);
    operator.isAsked("The session has ended. Sign in again.");
    operator.press(Keys.ESCAPE);
    operator.press(Keys.ESCAPE);
    operator.isAsked("Sign in as alice to go on with it.");
    operator.type("Token", "mrt_unknown");
    operator.click("Sign in");
    operator.isAsked("the token is unknown");
    operator.type("Token", scene.alice());
    operator.click("Sign in");
    operator.settle();

    assertThat(operator.dialog()).isEmpty();
    assertThat(operator.focus()).isEqualTo("Handler");
    assertThat(operator.holds("Handler")).isEqualTo("typed-before");
    operator.click("Save");
    operator.click("Save the changes");
    operator.sees("orders/outlives is changed.");
    assertThat(Objects.requireNonNull(job(scene, "outlives").settings().handler()))
        .isEqualTo("typed-before");
  }

  @Test
  void whatWasTypedIsNotForSomebodyElse(Operator operator, ConsoleScene scene) {
    submit(scene, "mine");
    operator.open("/jobs/orders/mine/edit");
    operator.type("Handler", "typed-by-alice");
    endSessionWhileTyping(operator);
    operator.isAsked("The session has ended.");

    operator.type("Token", scene.admin());
    operator.click("Sign in");
    operator.seesIn(".who", "admin");
    operator.settle();

    assertThat(operator.dialog()).isEmpty();
    assertThat(operator.heading()).isEqualTo("Edit mine");
    assertThat(operator.holds("Handler")).isEmpty();
  }

  @Test
  void changeThatTheEndOfTheSessionPreventedIsSaid(Operator operator, ConsoleScene scene) {
    submit(scene, "prevented");
    operator.open("/jobs/orders/prevented");
    operator.browser().driver().manage().deleteAllCookies();
    pause(operator, "prevented");
    operator.isAsked("The session has ended.");

    operator.type("Token", scene.alice());
    operator.click("Sign in");

    operator.sees("the change was not made");
    pause(operator, "prevented");
    operator.sees("orders/prevented is paused.");
  }
}
