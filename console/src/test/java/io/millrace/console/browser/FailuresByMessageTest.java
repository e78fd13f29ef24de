package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why triggers died, as lists say it, and what is done to those that died of the same. */
@InBrowser
class FailuresByMessageTest {

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  @Test
  void listsSayWhatTheLastAttemptSaidAndWhetherItWasAReplay(Operator operator, ConsoleScene scene)
      throws Exception {
    scene.die("said:1", "the mail server is full\nand more of it");
    scene.as(scene.alice(), "POST", "/dead/" + scene.deadOf("billing", "said:1") + "/replay", "{}");
    operator.open("/dead?taskId=said%3A1");
    operator.seesInRow("said:1", "the mail server is full");
    assertThat(operator.text()).doesNotContain("and more of it");

    operator.seesInRow("said:1", "replay");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.open("/");
    operator.seesInRow("said:1", "the mail server is full");
    operator.clickInRow("said:1", "replay");

    operator.sees("Replayed by operator/alice");
  }

  @Test
  void oneGroupOfFailuresIsSeenAndReplayedAndTheOtherIsLeft(Operator operator, ConsoleScene scene) {
    for (int i = 0; i < 3; i++) {
      scene.die("kind:bank" + i, "no answer of the bank to request 7700" + i);
    }
    for (int i = 0; i < 2; i++) {
      scene.die("kind:mail" + i, "HTTP 503 of the mail server");
    }
    operator.open("/dead?taskId=kind%3A");
    operator.click("By message");
    operator.sees("These are all 5 open dead triggers that match.");
    assertThat(operator.texts("tbody tr")).hasSize(2);
    assertThat(operator.texts("tbody tr").get(0))
        .contains("no answer of the bank to request 77002")
        .contains("with other ids, times or numbers")
        .contains("kind:bank2")
        .contains("Replay 3");
    assertThat(operator.texts("tbody tr").get(1)).doesNotContain("with other ids");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    assertThat(operator.holds("Job begins with")).isEqualTo("kind:");

    operator.click("2: java.lang.IllegalStateException: HTTP 503 of the mail server");
    operator.sees("Only those that died for the same reason");
    assertThat(operator.texts("tbody tr"))
        .hasSize(2)
        .allMatch(row -> row.contains("HTTP 503 of the mail server"));
    operator.click("Replay all that match");
    operator.isAsked("Replay 2 dead triggers?");
    operator.click("Back");

    operator.click("By message");
    operator.click(
        "Replay 3: java.lang.IllegalStateException: no answer of the bank to request 77002");
    operator.isAsked("Replay 3 dead triggers?");
    operator.type("Other parameters, for all of them", "well=1");
    operator.click("Replay");

    operator.sees("3 of 3 done.");
    operator.sees("These are all 2 open dead triggers that match.");
    assertThat(
            scene
                .console()
                .database()
                .query(
                    "SELECT CONCAT(state, ' ', COUNT(*)) FROM jt_dead WHERE task_id LIKE 'kind:%'"
                        + " GROUP BY state ORDER BY state"))
        .containsExactly("OPEN 2", "REPLAYED 3");
  }
}
