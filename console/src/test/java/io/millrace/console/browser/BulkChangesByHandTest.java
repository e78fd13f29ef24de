package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of all that match a search, which the tracker makes. */
@InBrowser
class BulkChangesByHandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** More than the lists count. */
  private static final int PLENTY = 10_050;

  /** How many requests to change a job, a one-shot or an execution the page has sent. */
  private static final String SENT =
      """
      return performance.getEntriesByType('resource')
        .filter(({ name }) => /(cancel|pause|resume|terminate|replay|discard)$/.test(name)).length;
      """;

  /** Answers a request for a bulk change with this id; the tracker is not asked. */
  private static final String ANSWER =
      """
      const [id] = arguments;
      const ask = window.fetch;
      window.fetch = async (url, options) =>
        options?.method === 'POST' && url.endsWith('/bulk-changes') ? Response.json({ id }, { status: 201 }) : ask(url, options);
      """;

  private final List<Long> heldElsewhere = new ArrayList<>();

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  @AfterEach
  void endThoseElsewhere(Operator operator, ConsoleScene scene) {
    for (long id : heldElsewhere) {
      scene.console().database().execute("DELETE FROM jt_bulk_change WHERE id = " + id);
    }
  }

  private String elsewhere(ConsoleScene scene, String nodeGroup, Instant at) {
    long id = StoredBulkChange.underWay(scene.console().database(), nodeGroup, at);
    heldElsewhere.add(id);
    return String.valueOf(id);
  }

  private static void submitRecurring(ConsoleScene scene, String group, int count) {
    scene
        .client()
        .submitAll(
            IntStream.range(0, count)
                .mapToObj(i -> Job.builder(group, "job-" + i).cron("0 0 5 1 1 ?").build())
                .toList());
  }

  private static List<String> waiting(ConsoleScene scene, String group) {
    return scene.console().database().query("SELECT task_id FROM jt_waiting_" + group);
  }

  private static int jobs(ConsoleScene scene, String state) {
    return scene
        .get("/jobs?group=wholesale&limit=500&state=" + state, JobPage.class)
        .items()
        .size();
  }

  @Test
  void allJobsThatMatchArePausedResumedAndCancelled(Operator operator, ConsoleScene scene) {
    submitRecurring(scene, "wholesale", 60);
    operator.open("/jobs?group=wholesale&contains=job-");

    operator.click("Pause all that match");
    operator.isAsked("Pause 60 jobs?");
    operator.isAsked("These match: Node group wholesale · Name contains job-.");
    operator.isAsked("The tracker makes the change, also after you close this page.");
    operator.type("Reason, shown to other users", "stocktaking");
    operator.click("Pause");
    operator.sees("The tracker is making the change.");
    operator.sees("Pause jobs: 60 of 60 done.");
    assertThat(jobs(scene, "PAUSED")).isEqualTo(60);
    operator.seesInRow("job-0", "stocktaking");

    operator.click("Pause all that match");
    operator.sees("Nothing matches that this would change.");
    operator.click("Resume all that match");
    operator.isAsked("Resume 60 jobs?");
    operator.click("Resume");
    operator.sees("Resume jobs: 60 of 60 done.");
    assertThat(jobs(scene, "ACTIVE")).isEqualTo(60);
    operator.click("Cancel all that match");
    operator.isAsked("Cancel 60 jobs?");
    operator.click("Cancel job");
    operator.sees("Cancel jobs: 60 of 60 done.");
    assertThat(jobs(scene, "CANCELLED")).isEqualTo(60);
    assertThat(operator.script(SENT)).isEqualTo(0L);
    assertThat(operator.texts(".chip")).isEmpty();
  }

  @Test
  void allExecutionsThatMatchAreTerminated(Operator operator, ConsoleScene scene) {
    scene.client().submit(SceneJobs.running("endless-all"));
    scene.executionOf("reports", "endless-all");
    operator.open("/running?group=reports&task=endless-all");

    operator.click("Terminate all that match");
    operator.isAsked("Terminate 1 execution?");
    operator.isAsked("Job endless-all");
    operator.click("Terminate");

    operator.sees("Terminate executions: 1 of 1 done.");
    assertThat(scene.endOf("reports", "endless-all").status()).isEqualTo(LedgerStatus.CANCELLED);
  }

  @Test
  void aChangeOfManyGoesOnWithoutTheBrowser(Operator operator, ConsoleScene scene) {
    Instant at = Instant.now().plus(Duration.ofHours(9));
    scene
        .client()
        .submitAll(
            IntStream.range(0, PLENTY)
                .mapToObj(i -> Job.builder("plenty", "letter:%05d".formatted(i)).at(at).build())
                .toList());
    operator.open("/waiting?order=name&group=plenty");
    operator.click("Cancel all that match");
    operator.isAsked("Cancel 10,050 one-shots?");
    operator.click("Cancel 10,050");
    operator.sees("The tracker is making the change.");
    assertThat(operator.script(SENT)).isEqualTo(0L);
    operator.browser().driver().get("about:blank");

    await("all are cancelled").atMost(PATIENCE).until(() -> waiting(scene, "plenty").isEmpty());
    operator.visit(scene.url());
    operator.signIn(scene.admin());
    operator.open("/bulk");
    operator.seesInRow("Node group plenty", "10,050 of 10,050");
    operator.seesInRow("Node group plenty", "done");
    assertThat(operator.row("Node group plenty")).contains("Cancel one-shots", "alice");
    assertThat(operator.texts(".chip")).isEmpty();
  }

  @Test
  void anotherOperatorSeesAChangeUnderWayAndStopsIt(Operator operator, ConsoleScene scene) {
    String id = elsewhere(scene, "reports", Instant.now());
    operator.visit(scene.url());
    operator.signIn(scene.admin());
    operator.seesIn(".chip", "Pausing 1,234 of 1,000,000");
    operator.click("Bulk changes under way");
    operator.seesIn("h1", "Bulk changes");
    operator.seesInRow("Node group reports", "1,234 of 1,000,000");
    assertThat(operator.row("Node group reports")).contains("alice", "under way");
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.click("Stop: Pause jobs: Node group reports");
    operator.isAsked("Stop this bulk change?");
    operator.isAsked("What has been changed stays changed; the rest is not changed.");
    operator.click("Stop");

    operator.sees("The bulk change was stopped.");
    operator.seesInRow("Node group reports", "Stopped by admin");
    assertThat(operator.canClick("Stop: Pause jobs: Node group reports")).isFalse();
    await("nothing is under way").atMost(PATIENCE).until(() -> operator.texts(".chip").isEmpty());
    assertThat(state(scene, id)).isEqualTo("STOPPED");
  }

  private static String state(ConsoleScene scene, String id) {
    return scene
        .console()
        .database()
        .query("SELECT state FROM jt_bulk_change WHERE id = " + id)
        .get(0);
  }

  @Test
  void tabThatRequestedAChangeSaysWhenSomebodyElseHasStoppedIt(
      Operator operator, ConsoleScene scene) throws Exception {
    String id = elsewhere(scene, "orders", Instant.now());
    operator.open("/jobs?group=orders");
    operator.script(ANSWER, id);
    operator.click("Pause all that match");
    operator.click("Pause");
    operator.seesIn(".chip", "Pausing 1,234 of 1,000,000");
    operator.open("/workers");
    operator.seesIn(".chip", "Pausing 1,234 of 1,000,000");

    scene.as(scene.admin(), "POST", "/bulk-changes/" + id + "/stop", null);

    operator.sees("Pause jobs: 1,234 of 1,000,000 done. Stopped by admin");
    assertThat(operator.texts(".chip")).isEmpty();
  }

  @Test
  void onlyThoseWhoOperateItsNodeGroupMayStopAChange(Operator operator, ConsoleScene scene)
      throws Exception {
    String token =
        scene.issued("\"name\":\"stops-some\",\"role\":\"VIEW\",\"operates\":[\"billing\"]");
    elsewhere(scene, "billing", Instant.now());
    elsewhere(scene, "reports", Instant.now().plusMillis(1));

    operator.visit(scene.url());
    operator.signIn(token);
    operator.seesIn(".chip", "Pausing 1,234 of 1,000,000 + 1");
    operator.open("/bulk");
    operator.sees("Node group reports");
    assertThat(operator.canClick("Stop: Pause jobs: Node group billing")).isTrue();
    assertThat(operator.canClick("Stop: Pause jobs: Node group reports")).isFalse();

    operator.visit(scene.url());
    operator.signIn(scene.viewer());
    operator.open("/bulk");
    operator.sees("Node group reports");
    assertThat(operator.texts("main button")).isEmpty();
  }

  @Test
  void whatFailedIsListedWithTheReasonAndALink(Operator operator, ConsoleScene scene) {
    scene.die("stuck:1", "no answer");
    String stuck = scene.die("stuck:2", "no answer");
    Instant at = Instant.now().plus(Duration.ofHours(9));
    scene.client().submit(Job.builder("billing", "stuck:2").at(at).build());
    operator.open("/dead?nodeGroup=billing&taskId=stuck%3A");
    operator.click("Replay all that match");
    operator.isAsked("Replay 2 dead triggers?");
    operator.type("Other parameters, for all of them", "well=1");
    operator.click("Replay");
    operator.sees("Replay dead triggers: 1 of 2 done. 1 failed.");

    operator.open("/bulk");
    String search = "Node group billing · Job begins with stuck: · State Open";
    operator.clickInRow(search, "1 failed");
    operator.seesInRow(search, "well");
    assertThat(operator.row(search)).contains("2 of 2", "billing/stuck:2");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.click("billing/stuck:2");

    operator.seesIn("h1", "Dead trigger of stuck:2");
    assertThat(operator.address()).endsWith("/dead/" + stuck);
    scene.client().cancel("billing", "stuck:2");
  }

  @Test
  void allDeadTriggersThatMatchAreDiscarded(Operator operator, ConsoleScene scene) {
    scene.die("junk:1", "no answer of junk");
    String other = scene.die("junk:2", "no answer of junk");
    operator.open("/dead?like=" + other);
    operator.sees("junk:1");
    assertThat(operator.canClick("Replay all that match")).isTrue();
    assertThat(operator.canClick("Discard all that match")).isFalse();

    operator.open("/dead?taskId=junk%3A");
    operator.click("Discard all that match");
    operator.isAsked("Discard 2 dead triggers?");
    operator.isAsked("They are not deleted, and can still be replayed.");
    operator.click("Discard");

    operator.sees("Discard dead triggers: 2 of 2 done.");
    operator.sees("No dead trigger matches.");
    assertThat(
            scene
                .console()
                .database()
                .query(
                    "SELECT DISTINCT CONCAT(state, ' ', settled_by) FROM jt_dead WHERE task_id LIKE"
                        + " 'junk:%'"))
        .containsExactly("DISCARDED operator/alice");
  }

  @Test
  void whereItIsRequestedTheSearchIsSentAsItStands(Operator operator, ConsoleScene scene) {
    operator.script(
        """
        const ask = window.fetch;
        window.sent = [];
        window.fetch = (url, options) => {
          if (options?.method === 'POST' && url.endsWith('/bulk-changes')) {
            window.sent.push(options.body);
            return Promise.resolve(Response.json({ detail: 'not today' }, { status: 409 }));
          }
          return ask(url, options);
        };
        """);
    operator.open("/running");
    operator.click("Terminate all that match");
    operator.isAsked("These are all there are.");
    operator.click("Terminate");
    operator.sees("not today");

    assertThat(Objects.requireNonNull(operator.script("return window.sent.join()")))
        .isEqualTo("{\"action\":\"TERMINATE_EXECUTIONS\",\"filter\":{},\"everything\":true}");
  }
}
