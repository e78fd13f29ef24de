package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.dead.DeadRoutes.DeadDetail;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done to executions and to dead triggers, by clicking. */
@InBrowser
class ExecutionsByHandTest {

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static void die(ConsoleScene scene, String task) {
    scene
        .client()
        .submit(
            Job.builder("billing", task)
                .handler("charge")
                .retry(0)
                .param("amount", "5.00")
                .param("message", "no connection to the bank")
                .build());
    scene.deadOf("billing", task);
  }

  @Test
  void logLinesArriveWhileTheBodyWritesThem(Operator operator, ConsoleScene scene) {
    scene.client().submit(SceneJobs.running("talkative"));
    operator.open("/executions/" + scene.executionOf("reports", "talkative"));
    operator.sees("import of catalogue-2026.csv begins");
    operator.sees("live");

    scene.workers().tell("talkative", "first thousand");
    operator.sees("first thousand");
    scene.workers().tell("talkative", "!second thousand, one doubled");
    operator.sees("second thousand, one doubled");
    assertThat(operator.texts("[data-level=WARN]")).hasSize(1);
    operator.choose("Lowest level shown", "WARN and above");
    operator.seesNoMore("first thousand");
    scene.workers().tell("talkative", SceneWorkers.END);

    operator.sees("succeeded");
    operator.seesNoMore("live");
    assertThat(operator.text()).contains("1 line matches");
    operator.choose("Lowest level shown", "All levels");
    operator.sees("complete, 3 lines");
  }

  @Test
  void claimAheadOfTimeSaysWhy(Operator operator, ConsoleScene scene) {
    Instant due = Instant.now().minus(Duration.ofHours(60)).truncatedTo(ChronoUnit.SECONDS);
    PastRun ahead =
        new PastRun("orders", "ahead:1", 1, due, due.minusMillis(19), due.plusSeconds(1), null);
    PastRun behind =
        new PastRun(
            "orders", "ahead:2", 1, due, due.plusMillis(999), due.plusSeconds(1), "orders-1");
    PastRun.write(scene, ahead, behind);

    operator.open("/executions/" + ahead.id());
    assertThat(operator.texts(".facts dd")).anyMatch(fact -> fact.endsWith("to start on time"));
    operator.open("/executions/" + behind.id());
    assertThat(operator.text())
        .contains("Late by\n999 ms")
        .doesNotContain("to start on time")
        .doesNotContain("What ran meanwhile");
  }

  @Test
  void stepsAndProgressOfWhatRunsAreShown(Operator operator, ConsoleScene scene) {
    scene.client().submit(SceneJobs.running("stepwise"));
    operator.open("/executions/" + scene.executionOf("reports", "stepwise"));
    operator.sees("import of catalogue-2026.csv begins");
    assertThat(operator.text()).doesNotContain("Steps done").doesNotContain("rows read");

    scene.workers().tell("stepwise", "%8120");
    operator.sees("8,120 / 24,300, rows read");
    scene.workers().tell("stepwise", "+fetch the catalogue");
    operator.sees("Steps done");
    operator.sees("fetch the catalogue");
    operator.sees("Last checkpoint");
    scene.workers().tell("stepwise", "+compare <b>prices</b>");
    scene.workers().tell("stepwise", "%24300");
    operator.sees("compare <b>prices</b>");
    operator.sees("24,300 / 24,300, rows read");

    scene.workers().tell("stepwise", SceneWorkers.END);
    operator.sees("succeeded");
    operator.seesNoMore("Steps done");
  }

  @Test
  void progressIsShownInListsAndWithTheStepsAlone(Operator operator, ConsoleScene scene) {
    scene.client().submit(SceneJobs.running("halfway"));
    String id = scene.executionOf("reports", "halfway");
    scene.workers().tell("halfway", "+download");
    scene.workers().tell("halfway", "%12150");

    operator.open("/running?group=reports");
    operator.seesInRow("halfway", "12,150 / 24,300, rows read");
    operator.open("/jobs/reports/halfway");
    operator.sees("12,150 / 24,300, rows read");
    operator.open("/workers/reports-1");
    operator.seesInRow("halfway", "12,150 / 24,300, rows read");
    operator.open("/executions/" + id);
    operator.sees("12,150 / 24,300, rows read");
    operator.sees("Steps done");
    operator.sees("download");
    scene.workers().tell("halfway", SceneWorkers.END);
    operator.sees("succeeded");
  }

  @Test
  void resultIsShownAsTextAndALargeOneOnlyWhenItIsAskedFor(Operator operator, ConsoleScene scene) {
    String markup = "<b>bold</b>" + "x".repeat(5_000) + "the end";
    scene
        .client()
        .submit(
            Job.builder("reports", "returns").handler("render").param("returns", markup).build());
    operator.open("/executions/" + scene.endOf("reports", "returns").id());

    operator.sees("<b>bold</b>xx");
    assertThat(operator.texts("#result").get(0)).startsWith("{").doesNotContain("the end");
    operator.click("Show all 5,031 bytes");
    operator.seesIn("#result", "the end");
  }

  @Test
  void executionIsTerminated(Operator operator, ConsoleScene scene) {
    scene.client().submit(SceneJobs.running("endless"));
    scene.executionOf("reports", "endless");
    operator.click("Running");

    operator.click("Terminate this execution of endless");
    operator.isAsked("Terminate this execution of reports/endless?");
    assertThat(operator.dialog()).contains("Claimed", scene.executionOf("reports", "endless"));
    assertThat(operator.dialog()).contains("This interrupts 1 execution.");
    operator.click("Terminate");

    operator.sees("The execution of reports/endless was asked to stop.");
    assertThat(scene.endOf("reports", "endless").status()).isEqualTo(LedgerStatus.CANCELLED);
    operator.open("/history?group=reports&task=endless");
    assertThat(operator.row("endless")).contains("cancelled", "reports-1");
  }

  @Test
  void severalExecutionsAreTerminatedAtOnce(Operator operator, ConsoleScene scene) {
    for (String task : new String[] {"endless-1", "endless-2"}) {
      scene.client().submit(SceneJobs.running(task));
      scene.executionOf("reports", task);
    }
    operator.open("/running?group=reports");
    operator.tick("Select reports/endless-1");
    operator.tick("Select reports/endless-2");
    operator.click("Terminate the selected executions");
    operator.isAsked("Terminate 2 executions?");
    operator.click("Terminate");

    operator.sees("2 of 2 done.");
    operator.browser().putMouseAside();
    operator.seesNoMore("endless-1");
    operator.seesNoMore("endless-2");
    assertThat(operator.text()).contains(ConsoleScene.UNDER_WAY);
  }

  @Test
  void deadTriggerIsReplayedWithOtherParameters(Operator operator, ConsoleScene scene) {
    die(scene, "pay:1");
    operator.open("/dead");
    operator.click("Why did pay:1 die?");
    operator.sees("no connection to the bank");
    operator.sees("Died after 1 attempt");

    operator.type("Parameters of the replay", "amount=5.00\nwell=1");
    operator.click("Replay the dead trigger of pay:1");
    operator.isAsked("It runs with the parameters that you have changed.");
    operator.click("Replay");

    operator.sees("billing/pay:1 was replayed");
    operator.sees("Replayed by operator/alice");
    operator.seesIn("main section", "The last attempt of the replay has ended: succeeded");
    assertThat(
            scene
                .get("/history?group=billing&task=pay:1&status=SUCCEEDED", HistoryPage.class)
                .items())
        .hasSize(1);
  }

  @Test
  void manyAreReplayedWithTheirCountBeforeAndWhatCameOfItAfter(
      Operator operator, ConsoleScene scene) {
    for (int i = 0; i < 5; i++) {
      die(scene, "refund:" + i);
    }
    operator.open("/dead?nodeGroup=billing&taskId=refund%3A");
    operator.tick("Select billing/refund:4");
    operator.click("Replay selected");
    operator.isAsked("Replay 1 dead trigger?");
    operator.type("Other parameters, for all of them", "well=1");
    operator.click("Replay");
    operator.sees("1 of 1 done.");

    operator.click("Replay all that match");
    operator.isAsked("Replay 4 dead triggers?");
    assertThat(operator.dialog()).contains("Job begins with refund:");
    operator.type("Other parameters, for all of them", "well=1");
    operator.click("Replay");

    operator.sees("4 of 4 done.");
    operator.sees("No dead trigger matches.");
    assertThat(
            scene
                .console()
                .database()
                .query(
                    "SELECT COUNT(*) FROM jt_dead WHERE task_id LIKE 'refund:%' AND state ="
                        + " 'REPLAYED'"))
        .containsExactly("5");
  }

  /** Where the row that has this cell begins, in pixels. */
  private static Object top(Operator operator, String cell) {
    return Objects.requireNonNull(
        operator.script("return watch.row(arguments[0]).getBoundingClientRect().top", cell));
  }

  @Test
  void rowsStayInTheirPlacesUnderTheFocusAndNewOnesAreAnnounced(
      Operator operator, ConsoleScene scene) {
    die(scene, "dies-first");
    operator.open("/dead");
    operator.browser().putMouseAside();
    operator.sees("dies-first");
    String discard = "Discard the dead trigger of dies-first";
    operator.script(
        "[...document.querySelectorAll('button')]"
            + ".find((button) => button.ariaLabel === arguments[0]).focus()",
        discard);
    Object before = top(operator, "dies-first");

    die(scene, "dies-second");
    operator.seesIn("[role=status]", "1 new");
    assertThat(operator.text()).doesNotContain("dies-second");
    assertThat(operator.focus()).isEqualTo(discard);
    assertThat(top(operator, "dies-first")).isEqualTo(before);

    operator.click("1 new");
    operator.sees("dies-second");
    assertThat(operator.text()).doesNotContain("1 new");
    assertThat(operator.focus()).isEqualTo("Dead");
    operator.browser().putMouseAside();
    die(scene, "dies-third");
    operator.sees("dies-third");
    assertThat(operator.text()).doesNotContain("1 new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/running?group=reports", "/workers/reports-1"})
  void rowsStayInTheirPlacesUnderThePointerAlsoThoseThatAreGone(
      String page, Operator operator, ConsoleScene scene) {
    for (String task : new String[] {"stays-put", "ends-soon"}) {
      scene.client().submit(SceneJobs.running(task));
      scene.executionOf("reports", task);
    }
    operator.open(page);
    operator.sees("stays-put");
    operator.sees("ends-soon");
    Object before = top(operator, "stays-put");
    operator.browser().putMouseOn("tr:has(a[href='#/jobs/reports/stays-put']) td");

    scene.workers().tell("ends-soon", SceneWorkers.END);
    operator.sees("1 gone");
    assertThat(operator.texts("tr[data-gone]")).singleElement().asString().contains("ends-soon");
    assertThat(top(operator, "stays-put")).isEqualTo(before);

    operator.browser().putMouseAside();
    operator.seesNoMore("ends-soon");
    scene.workers().tell("stays-put", SceneWorkers.END);
    operator.seesNoMore("stays-put");
  }

  @Test
  void deadTriggerIsDiscarded(Operator operator, ConsoleScene scene) {
    die(scene, "tip:1");
    operator.open("/dead");
    operator.click("Discard the dead trigger of tip:1");
    operator.isAsked("It is not deleted, and can still be replayed.");
    assertThat(operator.dialog()).contains("Died at", scene.deadOf("billing", "tip:1"));
    operator.click("Discard");

    operator.sees("The dead trigger of billing/tip:1 was discarded.");
    operator.seesNoMore("tip:1 die");
    DeadDetail left = scene.get("/dead/" + scene.deadOf("billing", "tip:1"), DeadDetail.class);
    assertThat(left.trigger().settledBy()).isEqualTo("operator/alice");
  }
}
