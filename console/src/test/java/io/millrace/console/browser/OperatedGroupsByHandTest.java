package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.job.JobDetail;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The console for a viewer of all node groups who operates one of them, billing. */
@InBrowser
class OperatedGroupsByHandTest {
  private static String token = "";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) throws Exception {
    if (token.isEmpty()) {
      for (String group : new String[] {"billing", "reports"}) {
        scene.client().submit(Job.builder(group, group + "-rights").cron("0 0 5 1 1 ?").build());
      }
      token =
          scene.issued("\"name\":\"looks-at-all\",\"role\":\"VIEW\",\"operates\":[\"billing\"]");
    }
    operator.visit(scene.url());
    operator.signIn(token);
  }

  @Test
  void buttonsAreThereForWhatTheViewerOperates(Operator operator, ConsoleScene scene) {
    operator.open("/jobs?contains=-rights");
    operator.sees("reports-rights");
    assertThat(operator.canClick("Pause billing-rights")).isTrue();
    assertThat(operator.canClick("Pause reports-rights")).isFalse();
    assertThat(operator.canClick("Pause all that match")).isFalse();
    assertThat(operator.texts("tbody tr .tick")).hasSize(1);
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.open("/jobs?group=billing&contains=-rights");
    operator.sees("billing-rights");
    assertThat(operator.canClick("Pause all that match")).isTrue();

    operator.open("/jobs/reports/reports-rights");
    operator.seesIn("h1", "reports-rights");
    operator.sees("Why did it run, or not?");
    assertThat(operator.canClick("Pause")).isFalse();
    operator.open("/jobs/reports/reports-rights/edit");
    operator.sees("Your token may only look at the node group reports.");
  }

  @Test
  void viewerPausesWhatTheViewerOperates(Operator operator, ConsoleScene scene) {
    operator.open("/jobs?contains=-rights");
    operator.click("Pause billing-rights");
    operator.isAsked("Pause billing/billing-rights?");
    operator.click("Pause");
    operator.seesInRow("billing-rights", "paused");
    operator.click("Resume billing-rights");
    operator.seesInRow("billing-rights", "active");
  }

  @Test
  void trackerRefusesWhatThePageDoesNotOffer(Operator operator, ConsoleScene scene)
      throws Exception {
    Answered refused =
        scene
            .console()
            .request("POST", "/api/v1/jobs/reports/reports-rights/pause")
            .token(token)
            .send();
    assertThat(refused.status()).isEqualTo(403);
    assertThat(scene.get("/jobs/reports/reports-rights", JobDetail.class).state().name())
        .isEqualTo("ACTIVE");

    operator.open("/submit");
    operator.type("Node group", "reports");
    operator.type("Name", "not-mine");
    operator.click("Submit");
    operator.sees("the token operates the node groups billing: it may only look at the node group");
  }

  @Test
  void commandsAreOfferedForWhatTheViewerOperates(Operator operator, ConsoleScene scene) {
    operator.press(Keys.chord(Keys.CONTROL, "k"));
    operator.press("run -rights");
    operator.sees("Run now: billing-rights");
    assertThat(operator.text()).doesNotContain("Run now: reports-rights");
    operator.press(Keys.ESCAPE);
  }

  @Test
  void pagesOfAllNodeGroupsAreThere(Operator operator, ConsoleScene scene) {
    assertThat(operator.texts("#navigation a"))
        .contains("Overview", "Submit a job", "Audit")
        .doesNotContain("Tokens");
  }
}
