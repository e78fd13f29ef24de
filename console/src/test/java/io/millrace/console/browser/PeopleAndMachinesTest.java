package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerDetail;
import io.millrace.jobtracker.store.console.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers are drained and tokens issued by clicking; the audit says who did it. */
@InBrowser
class PeopleAndMachinesTest {

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.admin());
  }

  private static boolean drains(ConsoleScene scene, String worker) {
    return scene.get("/workers/" + worker, WorkerDetail.class).worker().draining();
  }

  @Test
  void workerIsDrainedAndGivenWorkAgain(Operator operator, ConsoleScene scene) {
    operator.click("Workers");
    operator.click("Drain worker billing-1");
    operator.isAsked("It gets no further work of billing.");
    operator.click("Back");
    assertThat(drains(scene, "billing-1")).isFalse();

    operator.click("Drain worker billing-1");
    operator.click("Drain");
    operator.sees("billing-1 gets no further work.");
    operator.seesInRow("billing-1", "draining");
    assertThat(drains(scene, "billing-1")).isTrue();

    operator.click("billing-1");
    operator.sees("It gets no further work, because an operator drains it.");
    operator.click("Undrain worker billing-1");
    operator.isAsked("Undrain worker billing-1?");
    operator.click("Undrain");
    operator.sees("billing-1 gets work again.");
    assertThat(drains(scene, "billing-1")).isFalse();

    operator.click("Audit");
    operator.sees("Drain a worker");
    assertThat(operator.texts("tbody tr").get(0))
        .contains("admin", "Undrain a worker", "billing-1", "done");
    assertThat(operator.texts("tbody tr").get(1))
        .contains("admin", "Drain a worker", "billing-1", "done");
  }

  @Test
  void tokenIsIssuedShownOnceAndRevoked(Operator operator, ConsoleScene scene) throws Exception {
    operator.click("Tokens");
    operator.type("Name", "deploy-robot");
    operator.choose("Role", "Operator: may also change jobs, executions and workers");
    operator.click("Issue a token");
    operator.sees("Save it now, or hand it over");
    String token = operator.texts("#issued-token").get(0);
    assertThat(token).startsWith("mrt_");
    assertThat(scene.as(token, "GET", "/session", null).body()).contains("deploy-robot");

    operator.click("I have saved it; hide it");
    operator.seesNoMore(token);
    operator.reload();
    assertThat(operator.html()).doesNotContain(token);
    assertThat(operator.row("deploy-robot")).contains("operator", "valid");
    operator.click("Revoke the token of deploy-robot");
    operator.isAsked("This revokes 1 token permanently.");
    operator.click("Revoke");

    operator.sees("The token of deploy-robot was revoked.");
    operator.seesInRow("deploy-robot", "revoked");
    assertThat(scene.console().request("GET", "/api/v1/session").token(token).send().status())
        .isEqualTo(401);
    operator.click("What deploy-robot has changed");
    assertThat(operator.heading()).isEqualTo("Audit");
  }

  private static int status(ConsoleScene scene, String token) throws Exception {
    return scene.console().request("GET", "/api/v1/session").token(token).send().status();
  }

  @Test
  void tokenWithAnEndIsMarkedAndRenewed(Operator operator, ConsoleScene scene) throws Exception {
    operator.click("Tokens");
    operator.type("Name", "night-robot");
    operator.type("Valid for (days)", "13");
    operator.click("Issue a token");
    operator.seesIn("section[role=alert]", "Expires:");
    String former = operator.texts("#issued-token").get(0);
    operator.seesInRow("night-robot", "expires soon");
    assertThat(operator.row("night-robot")).contains("in 12 d 23 h");
    assertThat(operator.row("night-robot")).contains("never used");
    assertThat(operator.row("alice")).contains("valid", "never", "127.0.0.1");

    operator.click("Renew the token of night-robot");
    operator.isAsked("A new secret takes the place of the old one");
    operator.click("Renew");
    operator.seesNoMore(former);
    String renewed = operator.texts("#issued-token").get(0);
    assertThat(renewed).startsWith("mrt_");
    assertThat(operator.row("night-robot")).contains("expires soon", "in 12 d 23 h");
    assertThat(status(scene, former)).isEqualTo(401);
    assertThat(status(scene, renewed)).isEqualTo(200);

    operator.click("Renew the token of night-robot");
    operator.set("days-again", "90");
    operator.click("Renew");
    operator.seesInRow("night-robot", "in 89 d 23 h");
    assertThat(operator.row("night-robot")).contains("valid").doesNotContain("expires soon");
  }

  @Test
  void tokenIsLimitedToNodeGroups(Operator operator, ConsoleScene scene) {
    operator.click("Tokens");
    operator.type("Name", "billing-team");
    operator.type("Node groups", "billing");
    operator.click("Issue a token");
    operator.seesInRow("billing-team", "billing");
    assertThat(operator.row("alice")).contains("all");
    String token = operator.texts("#issued-token").get(0);
    operator.click("Sign out");
    operator.signIn(token);

    operator.open("/jobs");
    operator.sees("year-end");
    assertThat(operator.text()).doesNotContain("daily-sales");
    operator.open("/jobs/reports/daily-sales");
    operator.sees("there is no node group reports");
  }

  @Test
  void viewerMayOperateSomeNodeGroups(Operator operator, ConsoleScene scene) throws Exception {
    operator.click("Tokens");
    operator.choose("Role", "Operator: may also change jobs, executions and workers");
    operator.seesNoMore("Node groups that a viewer may also change");
    operator.choose("Role", "Viewer: may see everything but tokens");
    operator.sees("Node groups that a viewer may also change");
    operator.type("Name", "reports-team");
    operator.type("Operates", "billing billing-*");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.click("Issue a token");

    operator.seesInRow("reports-team", "viewer · operates billing billing-*");
    String token = operator.texts("#issued-token").get(0);
    assertThat(scene.as(token, "GET", "/session", null).body())
        .contains("\"operates\":[\"billing\",\"billing-*\"]");
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }

  @Test
  void ownerOfATokenThatHasExpiredIsToldSo(Operator operator, ConsoleScene scene) throws Exception {
    String token = scene.issue("late-robot", Role.VIEW);
    scene
        .console()
        .database()
        .execute("UPDATE jt_operator_token SET expires_at = 1000 WHERE name = 'late-robot'");
    operator.click("Tokens");
    operator.seesInRow("late-robot", "expired");
    operator.click("Sign out");
    operator.type("Token", token);
    operator.click("Sign in");
    operator.sees("No longer valid: the token late-robot expired at 1970-01-01T00:00:01Z");
  }

  @Test
  void auditSaysWhoAndWhatAndHowItEnded(Operator operator, ConsoleScene scene) throws Exception {
    scene.client().submit(Job.builder("reports", "audited").cron("0 0 5 1 1 ?").build());
    Answered paused =
        scene.as(
            scene.alice(),
            "POST",
            "/jobs/reports/audited/pause",
            "{\"reason\":\"waits for the auditor\"}");
    assertThat(paused.status()).isEqualTo(200);
    operator.open("/audit");
    operator.type("Job, as group/name", "reports/audited");
    operator.click("Search");
    operator.sees("reports/audited");
    operator.settle();
    assertThat(operator.texts("tbody tr")).singleElement().asString().contains("reports/audited");

    operator.open("/audit?operator=alice&action=pauseJob");

    operator.sees("reports/audited");
    assertThat(operator.row("reports/audited")).contains("alice", "Pause a job", "done");
    operator.clickInRow("reports/audited", "show");
    operator.sees("waits for the auditor");
    operator.click("reports/audited");
    assertThat(operator.heading()).isEqualTo("audited");
  }
}
