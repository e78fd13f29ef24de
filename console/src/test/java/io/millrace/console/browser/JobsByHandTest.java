package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Declaration;
import io.millrace.api.Job;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobRoutes.JobPage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** What is done to jobs, by clicking. */
@InBrowser
class JobsByHandTest {
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static void planned(ConsoleScene scene, String group, String... tasks) {
    for (String task : tasks) {
      scene.client().submit(Job.builder(group, task).cron("0 0 5 1 1 ?", SHANGHAI).build());
    }
  }

  private static String stateOf(ConsoleScene scene, String job) {
    return String.valueOf(scene.get("/jobs/" + job, JobDetail.class).state());
  }

  @Test
  void jobIsSubmittedWithItsFireTimesSeenBefore(Operator operator, ConsoleScene scene) {
    operator.click("Submit a job");
    operator.type("Node group", "orders");
    operator.type("Name", "nightly-cleanup");
    operator.type("Time zone", "Mars/Base");
    operator.seesIn(".beside .problem", "zone is not a time zone: 'Mars/Base'");
    operator.type("Time zone", "Asia/Shanghai");
    operator.type("Cron expression", "0 15 25 * * ?");
    operator.seesIn(".beside .problem", "25");
    assertThat(operator.text()).doesNotContain("BAD_CRON");
    assertThat(operator.texts(".fires li")).isEmpty();
    operator.type("Cron expression", "15 3 * * 1");
    operator.sees("minute 15 · hour 3 · day * · month * · weekday 1");
    assertThat(operator.text()).doesNotContain("second 15");

    operator.type("Cron expression", "0 15 3 * * ?");
    operator.sees("03:15");
    assertThat(operator.texts(".fires li")).hasSize(10).allMatch(fire -> fire.contains("03:15"));
    operator.type("Parameters", "days=30");
    operator.click("Submit");

    operator.sees("orders/nightly-cleanup is accepted.");
    assertThat(operator.heading()).isEqualTo("nightly-cleanup");
    JobDetail stored = scene.get("/jobs/orders/nightly-cleanup", JobDetail.class);
    assertThat(stored.schedule().cron()).isEqualTo("0 15 3 * * ?");
    assertThat(stored.schedule().zone()).isEqualTo(SHANGHAI);
    assertThat(stored.settings().params()).containsEntry("days", "30");
    assertThat(stored.origin().submittedBy()).isEqualTo("operator/alice");
  }

  @Test
  void nextRunsAreAsManyAsThereAre(Operator operator, ConsoleScene scene) {
    Instant at = Instant.now().plus(Duration.ofHours(5));
    scene.client().submit(Job.builder("orders", "only-once").at(at).build());
    operator.open("/jobs/orders/only-once");
    operator.seesIn("h2", "The next run");
    assertThat(operator.texts("h2")).doesNotContain("The next 10 runs");

    scene
        .client()
        .submit(
            Job.builder("orders", "three-times")
                .every(Duration.ofHours(1))
                .at(at)
                .times(3)
                .build());
    operator.open("/jobs/orders/three-times");
    operator.seesIn("h2", "The next 3 runs");
  }

  @Test
  void whatTheTrackerRefusesIsSaidAndStaysInTheForm(Operator operator, ConsoleScene scene) {
    operator.open("/submit");
    operator.type("Node group", "orders");
    operator.type("Name", "never");
    operator.type("Cron expression", "0 0 0 30 2 ?");
    operator.click("Submit");

    operator.sees("This schedule never fires: no fire time is after");
    assertThat(operator.text()).doesNotContain("NEVER_FIRES");
    assertThat(operator.heading()).isEqualTo("Submit a job");
    assertThat(operator.holds("Name")).isEqualTo("never");
    assertThat(operator.holds("Cron expression")).isEqualTo("0 0 0 30 2 ?");
  }

  /** Such names could not be reached: browsers take them out of addresses. */
  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void nameThatAddressesCannotHaveIsRefused(String name, Operator operator, ConsoleScene scene) {
    operator.open("/submit");
    operator.type("Node group", "orders");
    operator.type("Name", name);
    operator.type("Cron expression", "0 0 5 1 1 ?");
    operator.click("Submit");

    operator.sees("the task id must not be . or ..");
    assertThat(operator.heading()).isEqualTo("Submit a job");
    assertThat(operator.holds("Name")).isEqualTo(name);
    assertThat(scene.get("/jobs?group=orders&prefix=.", JobPage.class).items()).isEmpty();
  }

  @Test
  void whatASubmitReplacesIsShownBefore(Operator operator, ConsoleScene scene) throws Exception {
    planned(scene, "orders", "to-replace");
    scene.client().pause("orders", "to-replace", "stocktaking");
    operator.open("/submit");
    operator.type("Node group", "orders");
    operator.type("Name", "to-replace");
    operator.type("Cron expression", "0 0 6 1 1 ?");
    operator.type("Time zone", "Asia/Shanghai");
    operator.tick("Replace a job of this name, if it exists");
    operator.click("Submit");
    operator.isAsked("Replace orders/to-replace?");
    operator.isAsked("2 fields will be different");
    assertThat(operator.texts("dialog tbody tr"))
        .containsExactly("schedule.cron 0 0 5 1 1 ? 0 0 6 1 1 ?", "state PAUSED ACTIVE");
    operator.click("Back");
    assertThat(operator.dialog()).isEmpty();
    assertThat(stateOf(scene, "orders/to-replace")).isEqualTo("PAUSED");

    operator.click("Submit");
    operator.isAsked("Replace orders/to-replace?");
    scene.as(
        scene.admin(),
        "PUT",
        "/jobs/orders/to-replace",
        "{\"schedule\":{\"cron\":\"0 0 5 1 1 ?\",\"zone\":\"Asia/Shanghai\"},\"priority\":3}");
    operator.click("Replace");
    operator.isAsked("priority");
    operator.click("Replace");

    operator.sees("orders/to-replace has replaced the previous job.");
    JobDetail stored = scene.get("/jobs/orders/to-replace", JobDetail.class);
    assertThat(stored.schedule().cron()).isEqualTo("0 0 6 1 1 ?");
    assertThat(stored.settings().priority()).isEqualTo(100);
    assertThat(stateOf(scene, "orders/to-replace")).isEqualTo("ACTIVE");
  }

  @Test
  void declaredJobIsFoundByItsOwner(Operator operator, ConsoleScene scene) {
    planned(scene, "orders", "of-nobody");
    Job declared = Job.builder("orders", "of-the-shop").cron("0 0 5 1 1 ?", SHANGHAI).build();
    scene
        .client()
        .declare(
            Declaration.builder().owner("shop-web").revision(7).jobs(List.of(declared)).build());
    operator.open("/jobs?contains=of-");
    operator.sees("of-nobody");
    operator.browser().size(2_560, 1_200);
    operator.seesInRow("of-the-shop", "shop-web");
    operator.browser().size(Chromium.WIDTH, Chromium.HEIGHT);

    operator.type("Declared by", "shop-web");
    operator.click("Search");

    operator.seesNoMore("of-nobody");
    operator.click("of-the-shop");
    operator.sees("shop-web, revision 7; edits stay until it is declared differently");
  }

  @Test
  void jobIsEdited(Operator operator, ConsoleScene scene) {
    planned(scene, "orders", "to-edit");
    operator.open("/jobs/orders/to-edit");
    operator.click("Edit");
    operator.sees("Edit to-edit");
    assertThat(operator.holds("Cron expression")).isEqualTo("0 0 5 1 1 ?");
    assertThat(operator.holds("Time zone")).isEqualTo("Asia/Shanghai");

    operator.type("Cron expression", "0 45 7 * * ?");
    operator.type("Timeout", "1h 30m");
    operator.sees("07:45");
    operator.click("Save");
    operator.click("Save the changes");

    operator.sees("orders/to-edit is changed");
    operator.sees("1 h 30 min");
    JobDetail edited = scene.get("/jobs/orders/to-edit", JobDetail.class);
    assertThat(edited.schedule().cron()).isEqualTo("0 45 7 * * ?");
    assertThat(edited.settings().timeout()).hasMinutes(90);
  }

  @Test
  void jobIsPausedWithAReasonAndResumed(Operator operator, ConsoleScene scene) {
    planned(scene, "orders", "to-pause");
    operator.open("/jobs?contains=to-pause");

    operator.click("Pause to-pause");
    operator.isAsked("It does not fire until it is resumed; running executions continue.");
    operator.type("Reason, shown to other users", "the carrier is on strike");
    operator.click("Pause");

    operator.sees("orders/to-pause is paused.");
    operator.seesInRow("to-pause", "the carrier is on strike");
    operator.click("to-pause");
    operator.sees("Paused by operator/alice");
    operator.click("Resume");
    operator.sees("orders/to-pause fires again.");
    operator.seesNoMore("Paused by");
    assertThat(stateOf(scene, "orders/to-pause")).isEqualTo("ACTIVE");
  }

  @Test
  void jobIsRunNowWithOtherParameters(Operator operator, ConsoleScene scene) {
    scene
        .client()
        .submit(
            Job.builder("orders", "to-run")
                .cron("0 0 5 1 1 ?", SHANGHAI)
                .param("day", "today")
                .build());
    operator.open("/jobs/orders/to-run");
    operator.click("Run now");
    operator.isAsked("Run orders/to-run once more, now?");
    operator.type("Parameters of this run", "{\"day\": \"monday\", \"dry\": \"a=1\\nyes \"}");
    operator.click("Run now");

    operator.sees("An extra run of orders/to-run was requested.");
    operator.sees("{day=monday, dry=a=1");
    assertThat(scene.get("/history?group=orders&task=to-run", HistoryPage.class).items())
        .singleElement()
        .extracting(row -> row.message())
        .isEqualTo("{day=monday, dry=a=1\nyes }");
  }

  @Test
  void parametersThatAreNoneAreSaidBeforeAnythingIsAsked(Operator operator, ConsoleScene scene) {
    planned(scene, "orders", "not-to-run");
    operator.open("/jobs/orders/not-to-run");
    operator.click("Run now");
    operator.type("Parameters of this run", "day=monday\nnonsense");
    operator.click("Run now");

    operator.isAsked("Line 2 is not of the form name=value.");
    assertThat(operator.holds("Parameters of this run")).contains("nonsense");
    operator.press(Keys.ESCAPE);
    assertThat(operator.dialog()).isEmpty();
    assertThat(scene.get("/history?group=orders&task=not-to-run", HistoryPage.class).items())
        .isEmpty();
  }

  @Test
  void jobIsCancelledOnlyByWhoSaysYes(Operator operator, ConsoleScene scene) {
    planned(scene, "orders", "to-cancel");
    operator.open("/jobs?contains=to-cancel");

    operator.click("Cancel job to-cancel");
    operator.isAsked("It never fires again");
    operator.press(Keys.ESCAPE);
    assertThat(operator.dialog()).isEmpty();
    operator.click("Cancel job to-cancel");
    operator.isAsked("its waiting triggers are removed");
    operator.click("Back");
    assertThat(operator.dialog()).isEmpty();
    operator.settle();
    assertThat(stateOf(scene, "orders/to-cancel")).isEqualTo("ACTIVE");
    operator.click("Cancel job to-cancel");
    operator.click("Cancel job");

    operator.sees("orders/to-cancel is cancelled");
    operator.seesInRow("to-cancel", "cancelled");
    assertThat(stateOf(scene, "orders/to-cancel")).isEqualTo("CANCELLED");
  }

  /** The question is about the page that is left. */
  @Test
  void questionGoesAwayWithItsPage(Operator operator, ConsoleScene scene) {
    planned(scene, "left-alone", "stays-as-it-is");
    operator.open("/jobs?group=left-alone");
    operator.open("/jobs/left-alone/stays-as-it-is");
    operator.click("Cancel job");
    operator.isAsked("It never fires again");

    operator.browser().driver().navigate().back();
    operator.settle();

    assertThat(operator.dialog()).isEmpty();
    assertThat(operator.row("stays-as-it-is")).contains("active");
  }

  @Test
  void severalArePausedAtOnceAfterTheirCountWasSaid(Operator operator, ConsoleScene scene) {
    planned(scene, "inventory", "count-a", "count-b", "count-c");
    operator.open("/jobs?group=inventory");

    operator.tick("Select inventory/count-a");
    operator.tick("Select inventory/count-c");
    operator.sees("2 selected");
    operator.click("Pause the selected jobs");
    operator.isAsked("Pause 2 jobs?");
    operator.type("Reason, shown to other users", "stocktaking");
    operator.click("Pause");

    operator.sees("2 of 2 done.");
    operator.seesInRow("count-a", "stocktaking");
    operator.seesInRow("count-c", "stocktaking");
    assertThat(operator.row("count-b")).contains("active").doesNotContain("stocktaking");
    assertThat(operator.text()).doesNotContain("selected");
  }

  @Test
  void searchIsEmptiedWithItsFields(Operator operator, ConsoleScene scene) {
    operator.open("/jobs");
    operator.type("Name contains", "sales");
    operator.choose("State", "active");
    operator.click("Search");
    operator.seesNoMore("weekly-summary");
    assertThat(operator.address()).contains("contains=sales", "state=ACTIVE");

    operator.click("Clear");

    operator.sees("weekly-summary");
    assertThat(operator.holds("Name contains")).isEmpty();
    assertThat(operator.holds("State")).isEmpty();
  }
}
