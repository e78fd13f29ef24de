package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.operator.AuditRoutes.AuditEntry;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.console.api.version.VersionRoutes.VersionItem;
import io.millrace.console.api.version.VersionRoutes.VersionPage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who changed a job, when and what; and back to a version of it. */
@InBrowser
class ChangesByHandTest {
  private static final String FIRST =
      """
      {"nodeGroup":"orders","taskId":"%s",
       "schedule":{"cron":"0 0 5 1 1 ?","zone":"Asia/Shanghai","until":"2040-01-01T00:00:00.123Z"},
       "params":{"day":"monday","script":"x\\ny=1 "},"timeout":"PT1M30S",
       "misfire":{"kind":"ALL","window":"PT7M","cap":9,"afterPause":true}}\
      """;
  private static final String SECOND =
      """
      {"schedule":{"cron":"0 0 6 1 1 ?","zone":"Asia/Shanghai","until":"2040-01-01T00:00:00.123Z"},
       "params":{"day":"friday"},"priority":7,"timeout":"PT90S",
       "misfire":{"kind":"ALL","window":"PT7M","cap":9,"afterPause":true}}\
      """;

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static void twice(ConsoleScene scene, String task, String path) throws Exception {
    scene.as(scene.alice(), "POST", "/jobs", FIRST.formatted(task));
    scene.as(scene.admin(), "PUT", "/jobs/orders/" + path, SECOND);
  }

  private static JobDetail job(ConsoleScene scene, String task) {
    return scene.get("/jobs/orders/" + task, JobDetail.class);
  }

  private static List<String> rows(Operator operator) {
    return operator.texts("main > .scroll > table > tbody > tr").stream()
        .map(row -> row.replaceAll("\\s+", " ").strip())
        .toList();
  }

  @Test
  void changesOfAJobAreShownFieldByField(Operator operator, ConsoleScene scene) throws Exception {
    twice(scene, "it's a/job", "it's%20a%2Fjob");
    twice(scene, "other", "other");
    scene.as(
        scene.alice(), "POST", "/jobs/orders/it's%20a%2Fjob/pause", "{\"reason\":\"a strike\"}");
    operator.open("/jobs?contains=a/job");
    operator.click("it's a/job");
    operator.click("Changes");

    operator.sees("Changes of it's a/job");
    List<String> rows = rows(operator);
    assertThat(rows).hasSize(3);
    assertThat(rows.get(0)).contains("alice", "Pause a job", "reason a strike");
    assertThat(rows.get(1))
        .contains("admin", "Replace a job")
        .contains(
            "params.day monday friday params.script x y=1 – priority 100 7"
                + " schedule.cron 0 0 5 1 1 ? 0 0 6 1 1 ?")
        .doesNotContain("timeout", "misfire");
    assertThat(rows.get(2)).contains("alice", "No version before", "timeout – PT1M30S");
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }

  private static Job.Builder stocktaking(String cron) {
    return Job.builder("orders", "stocktaking").cron(cron).replaceExisting(true);
  }

  @Test
  void versionsOfApplicationsAndOperatorsAreShownAndComeBack(
      Operator operator, ConsoleScene scene) {
    scene.client().submit(stocktaking("0 0 5 1 1 ?").param("day", "monday").build());
    scene.client().submit(stocktaking("0 0 7 1 1 ?").param("day", "friday").build());
    operator.open("/jobs/orders/stocktaking/edit");
    operator.type("Priority", "7");
    operator.click("Save");
    operator.click("Save the changes");
    operator.sees("orders/stocktaking is changed");

    operator.open("/jobs/orders/stocktaking/changes");
    List<String> rows = rows(operator);
    assertThat(rows).hasSize(3);
    assertThat(rows.get(0))
        .contains("alice", "Replace a job version 3", "priority 100 7")
        .doesNotContain("params.day", "Back to this version");
    assertThat(rows.get(1))
        .contains("shop/shop-web-1 application · ", "Store a version version 2")
        .contains("params.day monday friday", "schedule.cron 0 0 5 1 1 ? 0 0 7 1 1 ?");
    assertThat(rows.get(2)).contains("version 1", "No version before this one is known");
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.click("Back to this version: " + version(scene, "stocktaking", 1).at());
    operator.sees("The form shows the version that shop/shop-web-1 saved at");
    operator.click("Save");
    operator.isAsked("3 fields change:");
    operator.click("Save the changes");
    operator.sees("orders/stocktaking is changed");

    JobDetail undone = job(scene, "stocktaking");
    assertThat(undone.version()).isEqualTo(4);
    assertThat(undone.settings().params()).containsEntry("day", "monday");
    assertThat(undone.schedule().cron()).isEqualTo("0 0 5 1 1 ?");
    assertThat(undone.settings().priority()).isEqualTo(100);
  }

  /** As before versions were recorded. */
  @Test
  void whatOnlyTheAuditKnowsIsShownAndComesBackToo(Operator operator, ConsoleScene scene)
      throws Exception {
    twice(scene, "ancient", "ancient");
    scene
        .console()
        .database()
        .execute(
            "DELETE FROM jt_job_version WHERE job_id = "
                + Long.parseLong(job(scene, "ancient").id()));

    operator.open("/jobs/orders/ancient/changes");
    assertThat(rows(operator)).hasSize(2);
    assertThat(rows(operator).get(0))
        .contains("admin", "params.day monday friday")
        .doesNotContain("version 2");
    List<AuditEntry> entries = scene.get("/audit?job=orders/ancient", AuditPage.class).items();
    operator.click("Back to this version: " + entries.get(1).at());
    operator.sees("The form shows the version that alice saved at");
    operator.click("Save");
    operator.click("Save the changes");
    operator.sees("orders/ancient is changed");

    assertThat(job(scene, "ancient").settings().params()).containsEntry("day", "monday");
    operator.open("/jobs/orders/ancient/changes");
    assertThat(rows(operator))
        .as("the version before was not recorded, and the audit has it")
        .hasSize(3);
  }

  @Test
  void versionBeforeTheLastOfAPageIsOnTheNextPage(Operator operator, ConsoleScene scene)
      throws Exception {
    twice(scene, "paged", "paged");
    operator.script(
        """
        const ask = window.fetch;
        window.fetch = (url, options) => ask(url.replace('limit=100', 'limit=2'), options);
        """);
    operator.open("/jobs/orders/paged/changes");

    assertThat(rows(operator))
        .singleElement()
        .asString()
        .contains("params.day monday friday", "priority 100 7")
        .doesNotContain("no version before", "timeout");
    operator.click("Next page");
    operator.sees("No version before");
    assertThat(rows(operator))
        .singleElement()
        .asString()
        .contains("timeout – PT1M30S", "Back to this version");
  }

  @Test
  void jobWithoutVersionsSaysSo(Operator operator, ConsoleScene scene) {
    scene
        .client()
        .submit(
            Job.builder("orders", "only-once").at(Instant.parse("2040-01-01T00:00:00Z")).build());
    operator.open("/jobs/orders/only-once/changes");

    operator.sees("No changes of this job are on record.");
  }

  private static VersionItem version(ConsoleScene scene, String task, int version) {
    return scene.get("/jobs/orders/" + task + "/versions", VersionPage.class).items().stream()
        .filter(row -> row.version() == version)
        .findFirst()
        .orElseThrow();
  }

  private static void back(Operator operator, ConsoleScene scene, String task, int version) {
    operator.open("/jobs/orders/" + task + "/changes");
    operator.click("Back to this version: " + version(scene, task, version).at());
    operator.sees("The form shows the version that alice saved at");
  }

  @Test
  void earlierVersionComesBackAsItWas(Operator operator, ConsoleScene scene) throws Exception {
    scene.as(scene.alice(), "POST", "/jobs", FIRST.formatted("undo"));
    JobDetail first = job(scene, "undo");
    scene.as(scene.admin(), "PUT", "/jobs/orders/undo", SECOND);
    back(operator, scene, "undo", 1);
    assertThat(operator.holds("Cron expression")).isEqualTo("0 0 5 1 1 ?");

    operator.click("Save");
    operator.isAsked("4 fields change:");
    operator.isAsked("priority");
    operator.click("Save the changes");
    operator.sees("orders/undo is changed");

    JobDetail undone = job(scene, "undo");
    assertThat(undone.version()).isEqualTo(3);
    assertThat(undone.schedule()).isEqualTo(first.schedule());
    assertThat(undone.settings()).isEqualTo(first.settings());
  }

  @Test
  void changeSinceIsNotOverwrittenUnseen(Operator operator, ConsoleScene scene) throws Exception {
    twice(scene, "raced", "raced");
    back(operator, scene, "raced", 1);
    scene.as(scene.admin(), "PUT", "/jobs/orders/raced", SECOND.replace("friday", "sunday"));

    operator.click("Save");
    operator.isAsked("friday");
    operator.click("Save the changes");
    operator.sees("It now has version 3");
    assertThat(job(scene, "raced").settings().params()).containsEntry("day", "sunday");
    operator.click("Continue from version 3");
    operator.seesNoMore("It now has version 3");
    operator.click("Save");
    operator.isAsked("sunday");
    operator.click("Save the changes");
    operator.sees("orders/raced is changed");

    assertThat(job(scene, "raced").settings().params())
        .containsEntry("day", "monday")
        .containsEntry("script", "x\ny=1 ");
  }
}
