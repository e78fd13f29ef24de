package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.console.RunningConsole;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.batch.BatchRoutes.BatchPage;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.fleet.OverviewRoutes.Overview;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tracker with a console, workers that work for it, and a shop's jobs in all the states that
 * pages show: what runs and logs, what succeeded, was retried, failed and died, what is paused and
 * why, what is late because nobody works for it; three operators and what they did.
 */
final class ConsoleScene implements AutoCloseable {
  /** The task id of what is under way. */
  static final String UNDER_WAY = "catalogue-import";

  /** Its node group has no worker. */
  static final String LATE_GROUP = "mail";

  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int WORKERS = 4;

  private final RunningConsole console;
  private final SceneWorkers workers;
  private final JobClient client;
  private String alice = "";
  private String viewer = "";

  private ConsoleScene(RunningConsole console) {
    this.console = console;
    this.workers = new SceneWorkers(console.tracker().address());
    this.client =
        JobClient.builder()
            .trackers(console.tracker().address())
            .clientGroup("shop")
            .id("shop-web-1")
            .build();
  }

  static ConsoleScene open() {
    RunningConsole console = RunningConsole.over(TestDatabase.h2());
    ConsoleScene scene = new ConsoleScene(console);
    try {
      scene.play();
      return scene;
    } catch (Exception | Error failure) {
      scene.close();
      throw new IllegalStateException("the scene could not be set", failure);
    }
  }

  private void play() throws Exception {
    Instant now = Instant.now();
    ScenePast.write(console.database().stores().console().fleet().counts(), now);
    StoredBulkChange.ended(console.database(), now.minus(Duration.ofMinutes(20)));
    workers.start("orders-1", "orders", 8);
    workers.start("orders-2", "orders", 8);
    workers.start("reports-1", "reports", 4);
    workers.start("billing-1", "billing", 4);
    client.submit(SceneJobs.split());
    client.submitAll(SceneJobs.recurring());
    client.submitAll(SceneJobs.late(now));
    client.submitAll(SceneJobs.soon(now));
    client.submit(SceneJobs.running(UNDER_WAY));
    client.submitAll(SceneJobs.once());
    workers.tell(UNDER_WAY, "read 8,120 of 24,300 rows");
    workers.tell(UNDER_WAY, "!row 8,121 has no price; left as it was");
    workers.tell(UNDER_WAY, "read 16,240 of 24,300 rows");
    operate();
    awaitWhatPagesShow();
  }

  private void operate() throws Exception {
    alice = issue("alice", Role.OPERATE);
    viewer = issue("wallboard", Role.VIEW);
    as(alice, "POST", "/jobs/reports/daily-sales/run", "{\"params\":{\"format\":\"html\"}}");
    as(alice, "POST", "/jobs/reports/daily-sales/run", "{}");
    String former = issue("intern", Role.OPERATE);
    as(
        alice,
        "POST",
        "/jobs/reports/month-end/pause",
        "{\"reason\":\"waits for the new price list\"}");
    as(alice, "POST", "/jobs/reports/weekly-summary/run", "{\"params\":{\"format\":\"pdf\"}}");
    as(former, "POST", "/jobs/billing/year-end/pause", "{\"reason\":\"a mistake\"}");
    as(alice, "POST", "/jobs/billing/year-end/resume", null);
    as(console.adminToken(), "DELETE", "/tokens/intern", null);
    await("workers").atMost(PATIENCE).until(() -> console.database().count("jt_worker") == WORKERS);
    as(alice, "POST", "/workers/orders-2/drain", null);
  }

  private void awaitWhatPagesShow() {
    await("the dead")
        .atMost(PATIENCE)
        .until(() -> get("/dead?state=OPEN", DeadPage.class).items().size() == SceneJobs.DEAD);
    await("the parts")
        .atMost(PATIENCE)
        .until(
            () -> get("/batches?group=orders", BatchPage.class).items(),
            batches ->
                batches.size() == 1
                    && batches.get(0).parts().ended() == SceneJobs.ENDED_PARTS
                    && batches.get(0).parts().running() == 0);
    await("what is counted")
        .atMost(PATIENCE)
        .until(
            () -> get("/overview", Overview.class),
            seen ->
                seen.totals().workers() == WORKERS
                    && seen.totals().slotsInUse() == 1
                    && seen.totals().executing() == 1
                    && seen.totals().drainingWorkers() == 1
                    && seen.late().stream().anyMatch(group -> group.name().equals(LATE_GROUP)));
  }

  String issue(String name, Role role) throws Exception {
    return issued("\"name\":\"%s\",\"role\":\"%s\"".formatted(name, role));
  }

  /** Issues the token that these fields of a request describe. */
  String issued(String fields) throws Exception {
    return as(console.adminToken(), "POST", "/tokens", "{" + fields + "}")
        .as(IssuedToken.class)
        .token();
  }

  /** Has somebody ask for a change by the API, which has to succeed. */
  Answered as(String token, String method, String path, @Nullable String body) throws Exception {
    RunningConsole.Asked asked = console.request(method, "/api/v1" + path).token(token);
    Answered answered = (body == null ? asked : asked.json(body)).send();
    assertThat(answered.status())
        .as("%s %s: %s", method, path, answered.body())
        .isBetween(200, 299);
    return answered;
  }

  <T> T get(String path, Class<T> type) {
    try {
      return as(console.adminToken(), "GET", path, null).as(type);
    } catch (Exception e) {
      throw new IllegalStateException(path, e);
    }
  }

  String url() {
    return console.url();
  }

  /** The token of {@code admin}. */
  String admin() {
    return console.adminToken();
  }

  /** The token of {@code alice}, who may operate. */
  String alice() {
    return alice;
  }

  /** The token of {@code wallboard}, who may look. */
  String viewer() {
    return viewer;
  }

  RunningConsole console() {
    return console;
  }

  SceneWorkers workers() {
    return workers;
  }

  JobClient client() {
    return client;
  }

  /** The execution of {@link #UNDER_WAY}. */
  String executionUnderWay() {
    return executionOf("reports", UNDER_WAY);
  }

  String executionOf(String group, String task) {
    return await(task + " runs")
        .atMost(PATIENCE)
        .until(
            () -> get("/executions?group=" + group + "&task=" + task, ExecutionPage.class).items(),
            rows -> !rows.isEmpty())
        .get(0)
        .id();
  }

  /** A run that was split and is under way. */
  String batchUnderWay() {
    return executionOf("orders", SceneJobs.SPLIT);
  }

  /** One that died after three attempts. */
  String deadTrigger() {
    return deadOf("billing", "charge:7301");
  }

  /** How the latest execution of a job ended, once one has. */
  HistoryItem endOf(String group, String task) {
    return await(task + " has ended")
        .atMost(PATIENCE)
        .until(
            () -> get("/history?group=" + group + "&task=" + task, HistoryPage.class).items(),
            rows -> !rows.isEmpty())
        .get(0);
  }

  /** A one-shot of billing that dies at once and says this; returns its dead trigger. */
  String die(String task, String message) {
    client.submit(
        Job.builder("billing", task).handler("charge").retry(0).param("message", message).build());
    return deadOf("billing", task);
  }

  /** The dead trigger of a job, once it is dead. */
  String deadOf(String group, String task) {
    return await(task + " is dead")
        .atMost(PATIENCE)
        .until(
            () -> get("/dead?nodeGroup=" + group + "&taskId=" + task, DeadPage.class).items(),
            rows -> !rows.isEmpty())
        .get(0)
        .id();
  }

  @Override
  public void close() {
    client.close();
    workers.close();
    console.close();
  }
}
