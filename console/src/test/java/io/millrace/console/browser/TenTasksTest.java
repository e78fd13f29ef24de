package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.operator.AuditRoutes.AuditEntry;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/**
 * Ten tasks of an operator, each from the overview on, with the number of clicks that it takes. The
 * press of Enter and the choice of a field count as clicks; what is typed does not.
 */
@InBrowser
class TenTasksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
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

  private static long clicks(Operator operator) {
    return ((Number) Objects.requireNonNull(operator.script("return window.clicks"))).longValue();
  }

  private static JobDetail job(ConsoleScene scene, String task) {
    return scene.get("/jobs/tasks/" + task, JobDetail.class);
  }

  private static void submit(ConsoleScene scene, String task) {
    scene.client().submit(Job.builder("tasks", task).cron("0 30 2 * * ?", NEW_YORK).build());
  }

  @Test
  void whyTheReportOfLastNightWasLate(Operator operator, ConsoleScene scene) {
    find(operator, "daily-sales");
    operator.seesIn("section h2", "Why did it run, or not?");
    operator.click("Last night");

    operator.seesIn("h1", "History");
    assertThat(operator.holds("Job")).isEqualTo("daily-sales");
    assertThat(operator.holds("From")).endsWith("T18:00");
    assertThat(clicks(operator)).isEqualTo(2);
  }

  @Test
  void onlyTheFailuresOfOneErrorAreReplayed(Operator operator, ConsoleScene scene) {
    scene.die("ten:1", "ten: no route to bank 77017");
    scene.die("ten:2", "ten: no route to bank 77018");
    scene.die("ten:3", "ten: another reason");
    operator.click("Dead");
    operator.click("By message");
    operator.click("Replay 2: java.lang.IllegalStateException: ten: no route to bank 77018");
    operator.isAsked("Replay 2 dead triggers?");
    operator.click("Replay");

    operator.sees("2 of 2 done.");
    assertThat(clicks(operator)).isEqualTo(4);
  }

  @Test
  void allWaitingJobsOfOneKindAreTakenAway(Operator operator, ConsoleScene scene) {
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
    assertThat(clicks(operator)).isEqualTo(6);
    scene.client().cancel("tasks", "other:1");
  }

  @Test
  void jobIsMovedByAnHourAndItsSummerTimeIsKnown(Operator operator, ConsoleScene scene) {
    submit(scene, "moved");
    find(operator, "moved");
    operator.click("Edit");
    type(operator, "Cron expression", "0 30 3 * * ?");
    operator.seesIn(".words", "03:30");
    operator.click("Save");
    operator.isAsked("0 30 2 * * ?");
    operator.click("Save the changes");

    operator.sees("tasks/moved is changed.");
    assertThat(job(scene, "moved").schedule().cron()).isEqualTo("0 30 3 * * ?");
    assertThat(clicks(operator)).isEqualTo(5);
  }

  @Test
  void editOfYesterdayIsUndone(Operator operator, ConsoleScene scene) throws Exception {
    String body = "{\"schedule\":{\"cron\":\"0 0 %d * * ?\"}}";
    scene.as(
        scene.alice(),
        "POST",
        "/jobs",
        "{\"nodeGroup\":\"tasks\",\"taskId\":\"undone\",\"schedule\":{\"cron\":\"0 0 5 * * ?\"}}");
    scene.as(scene.admin(), "PUT", "/jobs/tasks/undone", body.formatted(6));
    AuditEntry first = scene.get("/audit?job=tasks/undone", AuditPage.class).items().get(1);
    find(operator, "undone");
    operator.click("Changes");
    operator.seesIn("h1", "Changes of undone");
    operator.click("Back to this version: " + first.at());
    operator.sees("The form shows the version that alice saved at");
    operator.click("Save");
    operator.click("Save the changes");

    operator.sees("tasks/undone is changed.");
    assertThat(job(scene, "undone").schedule().cron()).isEqualTo("0 0 5 * * ?");
    assertThat(clicks(operator)).isEqualTo(5);
  }

  @Test
  void allJobsOfAGroupArePaused(Operator operator, ConsoleScene scene) {
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
    assertThat(clicks(operator)).isEqualTo(5);
    scene.client().cancel("pausing", "one");
    scene.client().cancel("pausing", "two");
  }

  @Test
  void jobRunsOnceMoreWithAnotherParameter(Operator operator, ConsoleScene scene) {
    scene
        .client()
        .submit(Job.builder("orders", "ten-again").cron("0 0 5 1 1 ?").param("day", "mon").build());
    find(operator, "ten-again");
    operator.click("Run now");
    operator.isAsked("Run orders/ten-again once more, now?");
    type(operator, "Parameters of this run", "day=tue");
    operator.click("Run now");

    assertThat(scene.endOf("orders", "ten-again").taskId()).isEqualTo("ten-again");
    assertThat(clicks(operator)).isEqualTo(4);
    scene.client().cancel("orders", "ten-again");
  }

  @Test
  void workerGetsNoFurtherWork(Operator operator, ConsoleScene scene) {
    operator.click("Workers");
    operator.click("Drain worker billing-1");
    operator.isAsked("It gets no further work of billing.");
    operator.click("Drain");
    await("the worker is draining")
        .atMost(PATIENCE)
        .until(() -> operator.canClick("Undrain worker billing-1"));

    assertThat(clicks(operator)).isEqualTo(3);
    operator.click("Undrain worker billing-1");
    operator.click("Undrain");
    await("the worker gets work again")
        .atMost(PATIENCE)
        .until(() -> operator.canClick("Drain worker billing-1"));
  }

  @Test
  void whoPausedAJobAndWhy(Operator operator, ConsoleScene scene) throws Exception {
    submit(scene, "asked");
    scene.as(scene.alice(), "POST", "/jobs/tasks/asked/pause", "{\"reason\":\"a strike\"}");

    find(operator, "asked");

    operator.sees("a strike");
    assertThat(operator.text()).contains("operator/alice");
    assertThat(clicks(operator)).isEqualTo(1);
  }

  @Test
  void whatAnExecutionRanBeside(Operator operator, ConsoleScene scene) {
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
    assertThat(clicks(operator)).isEqualTo(3);
  }
}
