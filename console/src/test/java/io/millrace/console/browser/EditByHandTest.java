package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What is edited by clicking loses nothing that was not changed, and nothing of others. */
@InBrowser
class EditByHandTest {
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final Map<String, String> AWKWARD =
      Map.of("script", "x\na=1\r\n\tend ", "empty", "", "a=b", "c", "zz", "last blank ");

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static JobDetail job(ConsoleScene scene, String task) {
    return scene.get("/jobs/orders/" + task, JobDetail.class);
  }

  private static Job.Builder yearly(String task) {
    return Job.builder("orders", task).cron("0 0 5 1 1 ?", SHANGHAI);
  }

  private static void openForm(Operator operator, String task) {
    operator.open("/jobs/orders/" + task + "/edit");
    operator.sees("Edit " + task);
  }

  private static void save(Operator operator, ConsoleScene scene, String task, int version) {
    operator.click("Save");
    operator.isAsked("Save orders/" + task + "?");
    operator.click("Save the changes");
    operator.sees("orders/" + task + " is changed");
    await().atMost(Duration.ofSeconds(30)).until(() -> job(scene, task).version() == version);
  }

  @Test
  void parametersComeBackAsTheyWent(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("awkward").params(AWKWARD).build());
    openForm(operator, "awkward");
    operator.type("Retries", "9");
    save(operator, scene, "awkward", 2);

    JobDetail saved = job(scene, "awkward");
    assertThat(saved.version()).isEqualTo(2);
    assertThat(saved.settings().params()).isEqualTo(AWKWARD);
    assertThat(saved.settings().retry().maxRetries()).isEqualTo(9);

    openForm(operator, "awkward");
    operator.type("Parameters", "{\"script\": \"one\\ntwo=2 \", \"empty\": \"\"}");
    save(operator, scene, "awkward", 3);
    assertThat(job(scene, "awkward").settings().params())
        .isEqualTo(Map.of("script", "one\ntwo=2 ", "empty", ""));
  }

  @Test
  void instantsKeepTheirMilliseconds(Operator operator, ConsoleScene scene) {
    Instant until = Instant.parse("2040-01-01T00:00:00.123Z");
    Instant at = Instant.parse("2030-01-01T00:00:00.007Z");
    scene.client().submit(yearly("exact").at(at).until(until).build());
    openForm(operator, "exact");
    operator.type("Cron expression", "0 0 6 1 1 ?");
    save(operator, scene, "exact", 2);

    assertThat(job(scene, "exact").schedule().cron()).isEqualTo("0 0 6 1 1 ?");
    assertThat(job(scene, "exact").schedule().at()).isEqualTo(at);
    assertThat(job(scene, "exact").schedule().until()).isEqualTo(until);
  }

  @Test
  void whatAnEditChangesIsShownBeforeItIsSaved(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("careful").param("a", "1\n2").param("b", "x").build());
    openForm(operator, "careful");
    operator.type("Parameters", "{\"b\": \"y\", \"a\": \"1\\n2\"}");
    operator.type("Cron expression", "0 0 6 1 1 ?");
    operator.type("Timeout", "90s");
    operator.click("Save");

    operator.isAsked("3 fields change");
    assertThat(operator.texts("dialog tbody tr"))
        .extracting(row -> row.replaceAll("\\s+", " ").strip())
        .containsExactly(
            "params.b x y", "schedule.cron 0 0 5 1 1 ? 0 0 6 1 1 ?", "timeout – PT90S");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.click("Back");
    assertThat(operator.dialog()).isEmpty();
    assertThat(operator.holds("Timeout")).isEqualTo("90s");
    assertThat(job(scene, "careful").version()).isEqualTo(1);
    save(operator, scene, "careful", 2);
    assertThat(job(scene, "careful").settings().params()).isEqualTo(Map.of("a", "1\n2", "b", "y"));
  }

  private static void isStillThere(Operator operator, String typed) {
    await()
        .atMost(Duration.ofSeconds(15))
        .until(() -> operator.dialog().isEmpty() && operator.address().endsWith("/edit"));
    operator.settle();
    assertThat(operator.heading()).startsWith("Edit ");
    assertThat(operator.holds("Handler")).isEqualTo(typed);
  }

  private static boolean isAskedBeforeUnload(Operator operator) {
    return Boolean.TRUE.equals(
        operator.script(
            "const leaving = new Event('beforeunload', { cancelable: true });"
                + "dispatchEvent(leaving); return leaving.defaultPrevented"));
  }

  @Test
  void draftIsNotLostUnasked(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("drafted").build());
    operator.open("/jobs/orders/drafted");
    operator.click("Edit");
    operator.seesIn("h1", "Edit drafted");
    operator.settle();
    assertThat(isAskedBeforeUnload(operator)).isFalse();
    operator.type("Handler", "typed");
    assertThat(isAskedBeforeUnload(operator)).isTrue();

    operator.click("Back");
    operator.isAsked("It is lost if you leave.");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.click("Back");
    isStillThere(operator, "typed");
    operator.browser().driver().navigate().back();
    operator.isAsked("It is lost if you leave.");
    operator.press(Keys.ESCAPE);
    isStillThere(operator, "typed");
    operator.click("Jobs");
    operator.isAsked("It is lost if you leave.");
    operator.click("Leave");
    operator.seesIn("h1", "Jobs");

    operator.browser().driver().navigate().back();
    operator.seesIn("h1", "Edit drafted");
    operator.settle();
    assertThat(operator.holds("Handler")).isEmpty();
    operator.browser().driver().navigate().back();
    operator.seesIn("h1", "drafted");
    operator.settle();
    assertThat(operator.address()).endsWith("/jobs/orders/drafted");
  }

  @Test
  void nothingIsSentIfNothingIsChanged(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("at-rest").params(AWKWARD).build());
    openForm(operator, "at-rest");
    operator.click("Save");

    operator.sees("Nothing has changed in orders/at-rest, so nothing was saved.");
    assertThat(operator.heading()).isEqualTo("Edit at-rest");
    assertThat(operator.dialog()).isEmpty();
    assertThat(scene.get("/audit?action=replaceJob", AuditPage.class).items())
        .noneMatch(entry -> entry.target().endsWith("/at-rest"));
    assertThat(job(scene, "at-rest").version()).isEqualTo(1);
  }

  @Test
  void jobIsMadeABroadcastAndNoneAgain(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("reload").build());
    openForm(operator, "reload");
    operator.choose("Broadcast", "one part for each worker");
    operator.choose("If a worker is gone", "its part is dead, and the run fails");
    save(operator, scene, "reload", 2);

    assertThat(job(scene, "reload").settings().broadcast()).isTrue();
    assertThat(job(scene, "reload").settings().onWorkerLost()).isEqualTo(WorkerLossPolicy.DEAD);
    operator.open("/jobs/orders/reload");
    operator.sees("its part is dead, and the run fails");
    openForm(operator, "reload");
    operator.choose("Broadcast", "no");
    save(operator, scene, "reload", 3);

    assertThat(job(scene, "reload").settings().broadcast()).isFalse();
    assertThat(job(scene, "reload").settings().onWorkerLost()).isNull();
  }

  @Test
  void labelThatNoWorkerHasIsShownAndCanBeTakenAway(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("draw").on("gpu", "wings").build());
    operator.open("/jobs/orders/draw");
    operator.sees("no worker has gpu, wings");
    openForm(operator, "draw");
    assertThat(operator.holds("Labels")).isEqualTo("gpu wings");
    operator.type("Labels", "");
    save(operator, scene, "draw", 2);

    assertThat(job(scene, "draw").settings().on()).isEmpty();
    operator.open("/jobs/orders/draw");
    operator.seesNoMore("no worker has");
  }

  @Test
  void pausedJobStaysPaused(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("asleep").build());
    scene.client().pause("orders", "asleep", "stocktaking");
    openForm(operator, "asleep");
    operator.type("Retries", "9");
    save(operator, scene, "asleep", 3);

    JobDetail saved = job(scene, "asleep");
    assertThat(saved.state()).isEqualTo(JobCondition.PAUSED);
    assertThat(Objects.requireNonNull(saved.progress().pause()).reason()).isEqualTo("stocktaking");
    assertThat(saved.settings().retry().maxRetries()).isEqualTo(9);
  }

  @Test
  void jobOfAnIntervalDoesNotRunBecauseItsRetriesAreChanged(Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("orders", "import").every(Duration.ofHours(6)).build());
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> ends(scene) == 1 && job(scene, "import").progress().executing() == 0);
    JobDetail before = job(scene, "import");
    openForm(operator, "import");
    operator.type("Retries", "9");
    save(operator, scene, "import", 2);

    JobDetail saved = job(scene, "import");
    assertThat(saved.settings().retry().maxRetries()).isEqualTo(9);
    assertThat(saved.progress().nextFireAt()).isEqualTo(before.progress().nextFireAt());
    assertThat(saved.progress().nextTrigger()).isNull();
    assertThat(saved.progress().executing()).isZero();
    assertThat(ends(scene)).isEqualTo(1);
  }

  private static int ends(ConsoleScene scene) {
    return scene.get("/history?group=orders&task=import", HistoryPage.class).items().size();
  }

  @Test
  void whatAnotherHasChangedMeanwhileIsShownAndKept(Operator operator, ConsoleScene scene)
      throws Exception {
    scene.client().submit(yearly("shared").priority(7).build());
    openForm(operator, "shared");
    operator.type("Timeout", "1h 30m");
    scene.as(
        scene.alice(),
        "PUT",
        "/jobs/orders/shared",
        "{\"schedule\":{\"cron\":\"0 0 4 1 1 ?\",\"zone\":\"Asia/Shanghai\"},\"priority\":3}");

    operator.click("Save");
    operator.click("Save the changes");
    operator.sees("It now has version 2");
    operator.seesInRow("schedule.cron", "0 0 4 1 1 ?");
    operator.seesInRow("priority", "3");
    assertThat(operator.holds("Timeout")).isEqualTo("1h 30m");
    assertThat(job(scene, "shared").settings().timeout()).isNull();

    operator.click("Continue from version 2");
    operator.seesNoMore("It now has version 2");
    assertThat(operator.holds("Cron expression")).isEqualTo("0 0 4 1 1 ?");
    assertThat(operator.holds("Timeout")).isEqualTo("1h 30m");
    save(operator, scene, "shared", 3);

    JobDetail saved = job(scene, "shared");
    assertThat(saved.version()).isEqualTo(3);
    assertThat(saved.settings().timeout()).hasMinutes(90);
    assertThat(saved.settings().priority()).isEqualTo(3);
    assertThat(saved.schedule().cron()).isEqualTo("0 0 4 1 1 ?");
  }
}
