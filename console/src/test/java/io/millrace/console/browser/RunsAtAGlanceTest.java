package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobDetail;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The last runs of jobs, and why triggers died, as lists show them. */
@InBrowser
class RunsAtAGlanceTest {
  private static final Instant FIRST = Instant.parse("2026-03-02T05:00:00Z");

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  /**
   * A job that fires once a year, and ended runs of it, each of which took longer and was later.
   */
  private static List<LedgerEntry> runs(ConsoleScene scene, String task, LedgerStatus... ends) {
    scene
        .client()
        .submit(Job.builder("orders", task).cron("0 0 5 1 1 ?", ZoneId.of("UTC")).build());
    long job = Long.parseLong(scene.get("/jobs/orders/" + task, JobDetail.class).id());
    List<LedgerEntry> rows = new ArrayList<>();
    for (int i = 1; i <= ends.length; i++) {
      long at = FIRST.plusSeconds(60L * i).toEpochMilli();
      Long startedAt = ends[i - 1] == LedgerStatus.SKIPPED ? null : (Long) (at + 1_000L * i);
      rows.add(
          new LedgerEntry(
              job + i,
              "orders",
              new TriggerCore(TriggerKey.planned(task, at), job, 1, at, startedAt == null ? 0 : 1),
              ends[i - 1],
              true,
              null,
              at,
              1,
              new LedgerEntry.Times(at, at, startedAt, startedAt, at + 21_000L * i),
              null,
              null,
              new LedgerEntry.Origin(null, null, null, null, null)));
    }
    scene.console().database().stores().ledger().append(rows);
    return rows;
  }

  @SuppressWarnings("unchecked")
  private static List<String> marks(Operator operator) {
    return (List<String>)
        Objects.requireNonNull(
            operator.script(
                "return [...document.querySelectorAll('svg.runs a path')].map((mark) =>"
                    + " mark.getAttribute('class'))"));
  }

  @Test
  void listShowsTheLastRunsOfEachJobAndLeadsToThem(Operator operator, ConsoleScene scene) {
    List<LedgerEntry> runs =
        runs(
            scene,
            "glance",
            LedgerStatus.SUCCEEDED,
            LedgerStatus.SUCCEEDED,
            LedgerStatus.SKIPPED,
            LedgerStatus.SUCCEEDED,
            LedgerStatus.DEAD);
    operator.open("/jobs?contains=glance");
    operator.browser().size(2_560, 1_200);

    operator.seesInRow("glance", "dead");
    assertThat(marks(operator))
        .containsExactly("succeeded", "succeeded", "skipped", "succeeded", "dead");
    assertThat(operator.row("glance"))
        .as("of the four that show whether it works")
        .contains("75%")
        .as("20, 40, 80 and 100 s; 1, 2, 4 and 5 s")
        .contains("40 s / 1 min 40 s")
        .contains("2 s / 5 s");
    operator.browser().size(Chromium.WIDTH, Chromium.HEIGHT);
    assertThat(Accessibility.barriers(operator)).isEmpty();

    String last = wordsOfMark(operator, 4);
    assertThat(last).contains("dead: planned for", "started 5 s late", "ran for 1 min 40 s");
    assertThat(wordsOfMark(operator, 2)).contains("skipped: planned for", "never started");
    WebElement mark =
        operator.browser().driver().findElements(By.cssSelector("svg.runs a path")).get(4);
    new Actions(operator.browser().driver()).moveToElement(mark).perform();
    assertThat(
            operator.script(
                "return arguments[0].parentElement.querySelector('title').textContent", mark))
        .as("what the pointer shows")
        .isEqualTo(last);
    operator.click(last);
    operator.sees("glance");
    assertThat(operator.address()).endsWith("#/executions/" + runs.get(4).id());
  }

  private static String wordsOfMark(Operator operator, int i) {
    return String.valueOf(
        operator.script(
            "return document.querySelectorAll('svg.runs a')[arguments[0]]"
                + ".getAttribute('aria-label')",
            i));
  }

  @Test
  void marksAreOneStopOfTheTabKeyAndArrowsMoveBetweenThem(Operator operator, ConsoleScene scene) {
    List<LedgerEntry> runs =
        runs(scene, "by-key", LedgerStatus.FAILED, LedgerStatus.CANCELLED, LedgerStatus.SUCCEEDED);
    operator.open("/jobs/orders/by-key");
    operator.sees("Last outcome");
    assertThat(
            operator.script(
                "return document.querySelectorAll('svg.runs a[tabindex=\"0\"]').length"))
        .isEqualTo(1L);
    operator.script("document.querySelector('svg.runs a[tabindex=\"0\"]').focus()");

    operator.press(Keys.ARROW_LEFT);
    assertThat(operator.focus()).startsWith("cancelled");
    operator.press(Keys.HOME);
    operator.press(Keys.ARROW_LEFT);
    assertThat(operator.focus()).startsWith("failed");
    operator.press(Keys.ENTER);

    operator.settle();
    assertThat(operator.address()).endsWith("#/executions/" + runs.get(0).id());
  }

  @Test
  void pageOfAJobSaysWhatItsLastRunsHaveInCommon(Operator operator, ConsoleScene scene) {
    LedgerStatus[] ends = new LedgerStatus[25];
    Arrays.fill(ends, LedgerStatus.SUCCEEDED);
    ends[0] = LedgerStatus.DEAD;
    ends[23] = LedgerStatus.FAILED;
    runs(scene, "common", ends);
    operator.open("/jobs/orders/common");

    operator.seesIn("main section dd", "95% of 20 runs");
    assertThat(marks(operator)).hasSize(20).doesNotContain("dead");
    assertThat(operator.texts(".legend li")).containsExactly("succeeded 19", "failed 1");
    assertThat(operator.texts("main section dd"))
        .as("the runs 6 to 25")
        .contains("5 min / 8 min", "15 s / 24 s");
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }
}
