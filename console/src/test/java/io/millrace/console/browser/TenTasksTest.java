package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.version.VersionRoutes.VersionItem;
import io.millrace.console.api.version.VersionRoutes.VersionPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/**
 * Ten tasks of an operator, each from the overview on, with the number of clicks that
 * docs/operating.md says it takes. The press of Enter and the choice of a field count as clicks;
 * what is typed does not.
 */
@InBrowser
class TenTasksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| (\\d+) \\| [^|]+ \\|");
  private static final Map<String, Long> DOCUMENTED = documented();
  private static final String COUNT =
      """
      if (window.clicks === undefined) {
        addEventListener('click', (event) => event.detail > 0 && event.target.localName !== 'label' && window.clicks++, true);
        addEventListener('keydown', (event) => event.key === 'Enter' && window.clicks++, true);
      }
      window.clicks = 0;
      """;

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.open("/");
    operator.script(COUNT);
  }

  private static void type(Operator operator, String label, String text) {
    operator.type(label, text);
    operator.script("window.clicks++");
  }

  /** Opens a job from anywhere, without a click but for Enter. */
  private static void find(Operator operator, String task) {
    operator.press(Keys.chord(Keys.CONTROL, "k"));
    operator.isAsked("results.");
    operator.press(task);
    operator.seesIn("#found li[aria-selected=true]", "job " + task);
    operator.press(Keys.ENTER);
    operator.seesIn("h1", task);
  }

  /** How many clicks each task takes, as the page says. */
  private static Map<String, Long> documented() {
    try {
      String page = Files.readString(Path.of("..", "docs", "operating.md"));
      return ROW.matcher(page.split("### Ten tasks and their clicks\n", 2)[1].split("\n## ", 2)[0])
          .results()
          .collect(Collectors.toMap(row -> row.group(1), row -> Long.valueOf(row.group(2))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertClicks(Operator operator, TestInfo task) {
    assertThat(operator.script("return window.clicks"))
        .isEqualTo(DOCUMENTED.get(task.getDisplayName()));
  }

  @Test
  void pageHasEachTaskAndNoOther() {
    assertThat(
            Arrays.stream(TenTasksTest.class.getDeclaredMethods())
                .map(test -> test.getAnnotation(DisplayName.class))
                .filter(Objects::nonNull)
                .map(DisplayName::value))
        .hasSize(10)
        .containsExactlyInAnyOrderElementsOf(DOCUMENTED.keySet());
  }

  private static JobDetail job(ConsoleScene scene, String task) {
    return scene.get("/jobs/tasks/" + task, JobDetail.class);
  }

  private static void submit(ConsoleScene scene, String task, String cron) {
    scene.client().submit(Job.builder("tasks", task).cron(cron, NEW_YORK).build());
  }

  /** A report that was due at eight in the evening, when a longer job had its worker. */
  private static void beLateLastNight(ConsoleScene scene) {
    scene
        .client()
        .submit(Job.builder("reports", "night-report").cron("0 0 20 * * ?", SHANGHAI).build());
    long job = Long.parseLong(scene.get("/jobs/reports/night-report", JobDetail.class).id());
    Instant due = LocalDate.now(SHANGHAI).minusDays(1).atTime(20, 0).atZone(SHANGHAI).toInstant();
    Instant before = due.minus(Duration.ofMinutes(30));
    Instant free = due.plus(Duration.ofMinutes(40));
    PastRun.write(
        scene,
        new PastRun("reports", "stock-take", 1, before, before, free, "reports-1"),
        new PastRun("reports", "night-report", job, due, free, free.plusSeconds(75), "reports-1"));
  }

  @Test
  @DisplayName("Find out why last night's report was late")
  void whyTheReportOfLastNightWasLate(Operator operator, ConsoleScene scene, TestInfo task) {
    beLateLastNight(scene);
    find(operator, "night-report");
    operator.seesIn("section h2", "Why did it run, or not?");
    operator.seesIn(".explanation li", "claimed 40 min after it was due");
    operator.click("Last night");

    operator.seesIn("h1", "History");
    assertThat(operator.holds("Job")).isEqualTo("night-report");
    assertThat(operator.holds("From")).endsWith("T18:00");
    operator.seesInRow("reports-1", "40 min");
    operator.click(operator.texts("td a[href^='#/executions/']").get(0));
    operator.click("What ran meanwhile");
    operator.seesIn(".gantt .name", "stock-take");
    assertThat(operator.texts(".gantt .name"))
        .containsExactly("Drag to choose a span", "night-report reports", "stock-take reports");
    assertThat(bars(operator))
        .satisfiesExactly(
            late -> assertThat(late).contains("started 40 min late"),
            reason -> assertThat(reason).contains("ran for 1 h 10 min"));
    assertClicks(operator, task);
    scene.client().cancel("reports", "night-report");
  }

  /** What each bar of the timeline says, row by row. */
  private static List<String> bars(Operator operator) {
    return operator.browser().driver().findElements(By.cssSelector(".gantt svg.bars a")).stream()
        .map(bar -> String.valueOf(bar.getAttribute("aria-label")))
        .toList();
  }

  @Test
  @DisplayName("Replay only the failures of one error")
  void onlyTheFailuresOfOneErrorAreReplayed(Operator operator, ConsoleScene scene, TestInfo task) {
    scene.die("ten:1", "ten: no route to bank 77017");
    scene.die("ten:2", "ten: no route to bank 77018");
    scene.die("ten:3", "ten: another reason");
    operator.click("Dead");
    operator.click("By message");
    operator.click("Replay 2: java.lang.IllegalStateException: ten: no route to bank 77018");
    operator.isAsked("Replay 2 dead triggers?");
    operator.click("Replay");

    operator.sees("2 of 2 done.");
    assertClicks(operator, task);
  }

  @Test
  @DisplayName("Cancel all waiting one-shots of one kind")
  void allWaitingJobsOfOneKindAreTakenAway(Operator operator, ConsoleScene scene, TestInfo task) {
    Instant at = Instant.now().plus(Duration.ofHours(9));
    scene
        .client()
        .submitAll(
            List.of(
                Job.builder("tasks", "mail:1").at(at).build(),
                Job.builder("tasks", "mail:2").at(at).build(),
                Job.builder("tasks", "other:1").at(at).build()));
    operator.click("Waiting");
    operator.click("tasks");
    operator.sees("other:1");
    type(operator, "Name begins with", "mail:");
    operator.press(Keys.ENTER);
    operator.seesNoMore("other:1");
    operator.click("Cancel all that match");
    operator.isAsked("Cancel 2 one-shots?");
    operator.click("Cancel 2");

    operator.sees("2 of 2 done.");
    assertClicks(operator, task);
    scene.client().cancel("tasks", "other:1");
  }

  @Test
  @DisplayName("Move a job by an hour, and see what summer time does to it")
  void jobIsMovedByAnHourAndItsSummerTimeIsKnown(
      Operator operator, ConsoleScene scene, TestInfo task) {
    submit(scene, "moved", "0 30 1 8-14 3 ?");
    find(operator, "moved");
    operator.click("Edit");
    type(operator, "Cron expression", "0 30 2 8-14 3 ?");
    operator.seesIn(".fires .note", "02:30 does not exist: clocks go from 02:00 to 03:00");
    operator.click("Save");
    operator.isAsked("0 30 1 8-14 3 ?");
    operator.click("Save the changes");

    operator.sees("tasks/moved is changed.");
    assertThat(job(scene, "moved").schedule().cron()).isEqualTo("0 30 2 8-14 3 ?");
    assertClicks(operator, task);
  }

  @Test
  @DisplayName("Undo yesterday's edit")
  void editOfYesterdayIsUndone(Operator operator, ConsoleScene scene, TestInfo task)
      throws Exception {
    String body = "{\"schedule\":{\"cron\":\"0 0 %d * * ?\"}}";
    scene.as(
        scene.alice(),
        "POST",
        "/jobs",
        "{\"nodeGroup\":\"tasks\",\"taskId\":\"undone\",\"schedule\":{\"cron\":\"0 0 5 * * ?\"}}");
    scene.as(scene.admin(), "PUT", "/jobs/tasks/undone", body.formatted(6));
    VersionItem first = scene.get("/jobs/tasks/undone/versions", VersionPage.class).items().get(1);
    find(operator, "undone");
    operator.click("Changes");
    operator.seesIn("h1", "Changes of undone");
    operator.click("Back to this version: " + first.at());
    operator.sees("The form shows the version that alice saved at");
    operator.click("Save");
    operator.click("Save the changes");

    operator.sees("tasks/undone is changed.");
    assertThat(job(scene, "undone").schedule().cron()).isEqualTo("0 0 5 * * ?");
    assertClicks(operator, task);
  }

  @Test
  @DisplayName("Pause all jobs of a node group")
  void allJobsOfAGroupArePaused(Operator operator, ConsoleScene scene, TestInfo task) {
    scene
        .client()
        .submitAll(
            List.of(
                Job.builder("pausing", "one").cron("0 0 5 1 1 ?").build(),
                Job.builder("pausing", "two").cron("0 0 5 1 1 ?").build()));
    operator.click("Node groups");
    operator.click("pausing");
    operator.seesIn("tbody tr", "two");
    operator.tick("Select all on this page");
    operator.click("Pause the selected jobs");
    operator.isAsked("Pause 2 jobs?");
    operator.click("Pause");

    operator.sees("2 of 2 done.");
    assertThat(scene.get("/jobs/pausing/one", JobDetail.class).state())
        .isEqualTo(JobCondition.PAUSED);
    assertClicks(operator, task);
    scene.client().cancel("pausing", "one");
    scene.client().cancel("pausing", "two");
  }

  @Test
  @DisplayName("Run a job once more with another parameter")
  void jobRunsOnceMoreWithAnotherParameter(Operator operator, ConsoleScene scene, TestInfo task) {
    scene
        .client()
        .submit(Job.builder("orders", "ten-again").cron("0 0 5 1 1 ?").param("day", "mon").build());
    find(operator, "ten-again");
    operator.click("Run now");
    operator.isAsked("Run orders/ten-again once more, now?");
    type(operator, "Parameters of this run", "day=tue");
    operator.click("Run now");

    assertThat(scene.endOf("orders", "ten-again").taskId()).isEqualTo("ten-again");
    assertClicks(operator, task);
    scene.client().cancel("orders", "ten-again");
  }

  @Test
  @DisplayName("Give a worker no further work")
  void workerGetsNoFurtherWork(Operator operator, ConsoleScene scene, TestInfo task) {
    operator.click("Workers");
    operator.click("Drain worker billing-1");
    operator.isAsked("It gets no further work of billing.");
    operator.click("Drain");
    await("the worker is draining")
        .atMost(PATIENCE)
        .until(() -> operator.canClick("Undrain worker billing-1"));

    assertClicks(operator, task);
    operator.click("Undrain worker billing-1");
    operator.click("Undrain");
    await("the worker gets work again")
        .atMost(PATIENCE)
        .until(() -> operator.canClick("Drain worker billing-1"));
  }

  @Test
  @DisplayName("See who paused a job, and why")
  void whoPausedAJobAndWhy(Operator operator, ConsoleScene scene, TestInfo task) throws Exception {
    submit(scene, "asked", "0 30 2 * * ?");
    scene.as(scene.alice(), "POST", "/jobs/tasks/asked/pause", "{\"reason\":\"a strike\"}");

    find(operator, "asked");

    operator.sees("a strike");
    assertThat(operator.text()).contains("operator/alice");
    assertClicks(operator, task);
  }

  @Test
  @DisplayName("See what an execution ran beside")
  void whatAnExecutionRanBeside(Operator operator, ConsoleScene scene, TestInfo task) {
    scene.client().submit(Job.builder("orders", "beside:1").build());
    scene.endOf("orders", "beside:1");
    operator.click("Timeline");
    operator.seesIn(".gantt .name", "beside:1");
    operator.choose("A row for each", "worker");
    operator.click("Search");
    operator.seesIn(".gantt .name", "orders-1");

    await("the page is that of workers")
        .atMost(PATIENCE)
        .until(() -> operator.address().contains("by=worker"));
    assertClicks(operator, task);
  }
}
