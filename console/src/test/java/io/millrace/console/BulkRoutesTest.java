package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.bulk.BulkChangeSummary;
import io.millrace.console.api.bulk.BulkChangeSummary.Condition;
import io.millrace.console.api.bulk.BulkRoutes.BulkChangePage;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.operator.AuditRoutes.AuditEntry;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.api.trigger.TriggerRoutes.TriggerPage;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import io.millrace.jobtracker.store.console.BulkChangeStore.Options;
import io.millrace.jobtracker.store.console.BulkChangeStore.Request;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bulk changes as operators request, see and stop them, made by a running tracker. */
class BulkRoutesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PATH = "/api/v1/bulk-changes";
  private static final AtomicInteger GROUPS = new AtomicInteger();

  private static RunningConsole console;

  private String group;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
  }

  @AfterAll
  static void close() {
    console.close();
  }

  @BeforeEach
  void takeGroup() {
    group = "group-" + GROUPS.incrementAndGet();
    console.tracker().stores().nodeGroups().ensure(group, 1_000);
  }

  private void submit(String task, String more) throws IOException, InterruptedException {
    String json = "{\"nodeGroup\":\"%s\",\"taskId\":\"%s\"%s}".formatted(group, task, more);
    Answered answered = console.ask("POST", "/api/v1/jobs").json(json).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
  }

  private void submitDaily(String task) throws IOException, InterruptedException {
    submit(task, ",\"schedule\":{\"cron\":\"0 0 3 * * ?\"}");
  }

  private static Answered request(String json) throws IOException, InterruptedException {
    return console.ask("POST", PATH).json(json).send();
  }

  private String ofGroup(String action, String more) {
    return "{\"action\":\"%s\",\"filter\":{\"nodeGroup\":\"%s\"%s}}".formatted(action, group, more);
  }

  private static BulkChangeSummary requested(String json) throws IOException, InterruptedException {
    Answered answered = request(json);
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
    return answered.as(BulkChangeSummary.class);
  }

  private static BulkChangeSummary read(String id) {
    try {
      return console.ask("GET", PATH + "/" + id).send().as(BulkChangeSummary.class);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static BulkChangeSummary ended(BulkChangeSummary change) {
    return await().atMost(PATIENCE).until(() -> read(change.id()), now -> now.endedAt() != null);
  }

  private static BulkChangeSummary done(String json) throws IOException, InterruptedException {
    BulkChangeSummary change = ended(requested(json));
    assertThat(change.state()).as(change.endReason()).isEqualTo(Condition.DONE);
    return change;
  }

  private List<String> jobsIn(JobState state) throws IOException, InterruptedException {
    return console
        .ask("GET", "/api/v1/jobs?limit=500&group=" + group + "&state=" + state)
        .send()
        .as(JobPage.class)
        .items()
        .stream()
        .map(job -> job.taskId())
        .toList();
  }

  private List<String> waiting() throws IOException, InterruptedException {
    return console
        .ask("GET", "/api/v1/triggers/" + group + "/one-shots?limit=500")
        .send()
        .as(TriggerPage.class)
        .items()
        .stream()
        .map(row -> row.taskId())
        .toList();
  }

  private List<AuditEntry> audit(String task) throws IOException, InterruptedException {
    return console
        .ask("GET", "/api/v1/audit?job=" + group + "/" + task)
        .send()
        .as(AuditPage.class)
        .items();
  }

  @Test
  void allJobsThatMatchArePausedAndEachHasItsEntryInTheAudit() throws Exception {
    for (int i = 10; i < 10 + 120; i++) {
      submitDaily("a-" + i);
    }
    submitDaily("b");
    submitDaily("a-resumed later");
    String reason = "\"reason\":\"maintenance\"";

    BulkChangeSummary change =
        done(
            """
            {"action":"PAUSE_JOBS","filter":{"nodeGroup":"%s","prefix":"a-1"},%s}"""
                .formatted(group, reason));

    assertThat(change.total()).isEqualTo(40);
    assertThat(change.done()).isEqualTo(40);
    assertThat(change.failed()).isZero();
    assertThat(change.requestedBy()).isEqualTo("admin");
    assertThat(change.reason()).isEqualTo("maintenance");
    assertThat(jobsIn(JobState.PAUSED)).hasSize(40).allMatch(task -> task.startsWith("a-1"));
    AuditEntry entry = audit("a-10").get(0);
    assertThat(entry.action()).isEqualTo("pauseJob");
    assertThat(entry.operator()).isEqualTo("admin");
    assertThat(entry.status()).isEqualTo(200);
    assertThat(entry.detail())
        .isEqualTo("{\"bulkChange\":\"" + change.id() + "\",\"reason\":\"maintenance\"}");

    BulkChangeSummary all = done(ofGroup("PAUSE_JOBS", ""));
    assertThat(all.total()).isEqualTo(82);
    assertThat(jobsIn(JobState.PAUSED)).hasSize(122);
    assertThat(done(ofGroup("RESUME_JOBS", ",\"contains\":\"LATER\"")).done()).isEqualTo(1);
    assertThat(jobsIn(JobState.ACTIVE)).containsExactly("a-resumed later");
    assertThat(done(ofGroup("RESUME_JOBS", ",\"state\":\"ACTIVE\"")).done()).isZero();
  }

  @Test
  void jobsAreCancelledInBothStates() throws Exception {
    submitDaily("active");
    submitDaily("paused");
    submitDaily("other, with a/slash");
    assertThat(done(ofGroup("PAUSE_JOBS", ",\"prefix\":\"paused\"")).done()).isEqualTo(1);

    assertThat(done(ofGroup("CANCEL_JOBS", ",\"state\":\"PAUSED\"")).done()).isEqualTo(1);
    assertThat(jobsIn(JobState.CANCELLED)).containsExactly("paused");
    assertThat(done(ofGroup("CANCEL_JOBS", "")).done()).isEqualTo(2);

    assertThat(jobsIn(JobState.CANCELLED)).hasSize(3);
    assertThat(audit("other,%20with%20a/slash").get(0).action()).isEqualTo("cancelJob");
  }

  @Test
  void oneShotsThatWaitAreCancelledAndThoseOfOthersStay() throws Exception {
    for (int i = 0; i < 230; i++) {
      submit("mail-" + i, ",\"schedule\":{\"after\":\"PT30M\"}");
    }
    submit("other", ",\"schedule\":{\"after\":\"PT30M\"}");
    submitDaily("mail-daily");

    BulkChangeSummary change = done(ofGroup("CANCEL_ONE_SHOTS", ",\"prefix\":\"mail-\""));

    assertThat(change.total()).isEqualTo(230);
    assertThat(change.done()).isEqualTo(230);
    assertThat(waiting()).containsExactly("other");
    assertThat(jobsIn(JobState.ACTIVE)).containsExactly("mail-daily");
    assertThat(done(ofGroup("CANCEL_ONE_SHOTS", ",\"handler\":\"none\"")).done()).isZero();
  }

  @Test
  void executionsAreTerminatedAndWhatDiedIsReplayedOrDiscarded() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (TaskTracker worker =
        TaskTracker.builder()
            .trackers(console.tracker().address())
            .nodeGroup(group)
            .id("worker-of-" + group)
            .slots(20)
            .runner(context -> run(context, release))
            .build()) {
      worker.start();
      for (int i = 0; i < 6; i++) {
        submit("slow-" + i, "");
        submit("failing-" + i, ",\"retry\":{\"maxRetries\":0}");
      }
      submit("split", ",\"shards\":2");
      await().atMost(PATIENCE).until(() -> executions().size() == 9 && dead(DeadState.OPEN) == 6);

      BulkChangeSummary stopped = done(ofGroup("TERMINATE_EXECUTIONS", ""));
      assertThat(stopped.done()).isGreaterThanOrEqualTo(8);
      await().atMost(PATIENCE).until(() -> executions().isEmpty());

      BulkChangeSummary discarded = done(ofGroup("DISCARD_DEAD", ",\"prefix\":\"failing-1\""));
      assertThat(discarded.done()).isEqualTo(1);
      assertThat(dead(DeadState.DISCARDED)).isEqualTo(1);
      BulkChangeSummary replayed =
          done(
              """
              {"action":"REPLAY_DEAD","filter":{"nodeGroup":"%s"},"params":{"end":"well"}}"""
                  .formatted(group));
      assertThat(replayed.done()).isEqualTo(5);
      assertThat(replayed.params()).containsEntry("end", "well");
      assertThat(dead(DeadState.REPLAYED)).isEqualTo(5);
      await().atMost(PATIENCE).until(() -> executions().isEmpty() && waiting().isEmpty());
      assertThat(dead(DeadState.OPEN)).as("each runs well, with other parameters").isZero();
    } finally {
      release.countDown();
    }
  }

  /** Requests that were stored before all that they could change. */
  @Test
  void whatCameAfterTheRequestIsLeft() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    long before = console.tracker().operations().time().millis() - 1_000;
    try (TaskTracker worker =
        TaskTracker.builder()
            .trackers(console.tracker().address())
            .nodeGroup(group)
            .id("worker-of-" + group)
            .runner(context -> run(context, release))
            .build()) {
      worker.start();
      submit("failing", ",\"retry\":{\"maxRetries\":0}");
      submit("slow", "");
      submit("later", ",\"schedule\":{\"after\":\"PT30M\"}");
      submitDaily("daily");
      await().atMost(PATIENCE).until(() -> executions().size() == 1 && dead(DeadState.OPEN) == 1);
      List<BulkChangeSummary> changes = new ArrayList<>();
      for (Action action : Action.values()) {
        changes.add(requestedAt(before, action));
      }

      for (BulkChangeSummary change : changes) {
        BulkChangeSummary end = ended(change);
        assertThat(end.state()).as(end.endReason()).isEqualTo(Condition.DONE);
        assertThat(end.done()).as(end.action().name()).isZero();
      }
      assertThat(executions()).hasSize(1);
      assertThat(dead(DeadState.OPEN)).isEqualTo(1);
      assertThat(waiting()).containsExactly("later");
      assertThat(jobsIn(JobState.ACTIVE)).containsExactly("daily");
    } finally {
      release.countDown();
    }
  }

  private BulkChangeSummary requestedAt(long at, Action action)
      throws IOException, InterruptedException {
    long id = console.tracker().operations().ids().next(at);
    Filter filter = new Filter(group, null, null, null, null, null, null, null, null, null);
    console
        .tracker()
        .stores()
        .console()
        .bulkChanges()
        .add(id, new Request(action, filter, new Options(null, null, false), at, "admin", "::1"));
    return read(String.valueOf(id));
  }

  private static Result run(JobContext context, CountDownLatch release)
      throws InterruptedException {
    if ("well".equals(context.param("end"))) {
      return Result.success();
    }
    if (context.taskId().startsWith("failing")) {
      throw new IllegalStateException("the disk is full");
    }
    release.await();
    return Result.success();
  }

  private List<?> executions() throws IOException, InterruptedException {
    return console
        .ask("GET", "/api/v1/executions?group=" + group)
        .send()
        .as(ExecutionPage.class)
        .items();
  }

  private int dead(DeadState state) throws IOException, InterruptedException {
    return console
        .ask("GET", "/api/v1/dead?nodeGroup=" + group + "&state=" + state)
        .send()
        .as(DeadPage.class)
        .items()
        .size();
  }

  @Test
  void refusedParametersOfAReplayEndItBeforeAnyIsChanged() throws Exception {
    try (TaskTracker worker =
        TaskTracker.builder()
            .trackers(console.tracker().address())
            .nodeGroup(group)
            .id("worker-of-" + group)
            .runner(context -> run(context, new CountDownLatch(0)))
            .build()) {
      worker.start();
      submit("failing", ",\"retry\":{\"maxRetries\":0}");
      await().atMost(PATIENCE).until(() -> dead(DeadState.OPEN) == 1);
    }

    BulkChangeSummary change =
        ended(
            requested(
                """
                {"action":"REPLAY_DEAD","filter":{"nodeGroup":"%s"},"params":{"a":"%s"}}"""
                    .formatted(group, "x".repeat(2 << 20))));

    assertThat(change.state()).isEqualTo(Condition.FAILED);
    assertThat(change.endReason()).contains("param");
    assertThat(dead(DeadState.OPEN)).isEqualTo(1);
  }

  @Test
  void anotherTrackerGoesOnWithWhatAClosedOneLeft() throws Exception {
    for (int i = 0; i < 300; i++) {
      submit("left-" + i, ",\"schedule\":{\"after\":\"PT30M\"}");
    }
    BulkChangeSummary change;
    try (RunningConsole other = console.another()) {
      change =
          other
              .ask("POST", PATH)
              .json(ofGroup("CANCEL_ONE_SHOTS", ""))
              .send()
              .as(BulkChangeSummary.class);
    }

    BulkChangeSummary end = ended(change);

    assertThat(end.state()).isEqualTo(Condition.DONE);
    assertThat(end.done()).isEqualTo(300);
    assertThat(waiting()).isEmpty();
  }

  @Test
  void operatorStopsWhatIsUnderWayAndStoppingTwiceIsHarmless() throws Exception {
    String operator = console.token(Role.OPERATE);
    BulkChangeSummary over = done(ofGroup("PAUSE_JOBS", ""));

    Answered stopped =
        console.request("POST", PATH + "/" + over.id() + "/stop").token(operator).send();

    assertThat(stopped.status()).isEqualTo(200);
    assertThat(stopped.as(BulkChangeSummary.class)).isEqualTo(over);
    String viewer = console.token(Role.VIEW);
    assertThat(console.request("GET", PATH + "/" + over.id()).token(viewer).send().status())
        .isEqualTo(200);
    assertThat(
            console.request("POST", PATH + "/" + over.id() + "/stop").token(viewer).send().status())
        .isEqualTo(403);
    assertThat(console.ask("GET", PATH + "/12345").send().status()).isEqualTo(404);
  }

  @Test
  void bulkChangesAreListedNewestFirst() throws Exception {
    BulkChangeSummary first = done(ofGroup("PAUSE_JOBS", ""));
    BulkChangeSummary second = done(ofGroup("RESUME_JOBS", ""));

    BulkChangePage page = console.ask("GET", PATH + "?limit=1").send().as(BulkChangePage.class);
    assertThat(page.items()).containsExactly(second);
    BulkChangePage next =
        console.ask("GET", PATH + "?limit=1&after=" + page.next()).send().as(BulkChangePage.class);
    assertThat(next.items()).containsExactly(first);
    assertThat(console.ask("GET", PATH + "?active=true").send().as(BulkChangePage.class).items())
        .isEmpty();
  }

  @Test
  void limitedOperatorChangesItsOwnNodeGroupsOnly() throws Exception {
    submitDaily("mine");
    String json = "{\"name\":\"of-%s\",\"role\":\"OPERATE\",\"nodeGroups\":[\"%1$s\"]}";
    String limited =
        console
            .ask("POST", "/api/v1/tokens")
            .json(json.formatted(group))
            .send()
            .as(IssuedToken.class)
            .token();
    BulkChangeSummary ofAll =
        done("{\"action\":\"RESUME_JOBS\",\"filter\":{\"prefix\":\"no such job\"}}");

    Answered done =
        console.request("POST", PATH).token(limited).json(ofGroup("PAUSE_JOBS", "")).send();
    assertThat(done.status()).as(done.body()).isEqualTo(201);
    assertThat(ended(done.as(BulkChangeSummary.class)).done()).isEqualTo(1);
    for (String refused :
        List.of(
            "{\"action\":\"PAUSE_JOBS\",\"everything\":true}",
            "{\"action\":\"PAUSE_JOBS\",\"filter\":{\"prefix\":\"m\"}}",
            "{\"action\":\"PAUSE_JOBS\",\"filter\":{\"nodeGroup\":\"group-0\"}}")) {
      assertThat(console.request("POST", PATH).token(limited).json(refused).send().status())
          .isEqualTo(403);
    }
    assertThat(console.request("GET", PATH).token(limited).send().as(BulkChangePage.class).items())
        .extracting(BulkChangeSummary::requestedBy)
        .containsExactly("of-" + group);
    assertThat(console.request("GET", PATH + "/" + ofAll.id()).token(limited).send().status())
        .isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'action':'PAUSE_JOBS'} | give either a filter",
        "{'action':'PAUSE_JOBS','filter':{}} | give either a filter",
        "{'action':'PAUSE_JOBS','filter':{'prefix':'a'},'everything':true} | give either a filter",
        "{'action':'PAUSE_JOBS','filter':{'worker':'w'}} | filter.worker is not for PAUSE_JOBS,"
            + " which takes nodeGroup, prefix, contains, handler, owner, state",
        "{'action':'PAUSE_JOBS','filter':{'state':'CANCELLED'}} | filter.state must be one of"
            + " ACTIVE, PAUSED",
        "{'action':'PAUSE_JOBS','filter':{'prefix':''}} | filter.prefix must have 1 to 128",
        "{'action':'CANCEL_ONE_SHOTS','filter':{'prefix':'a'}} | filter.nodeGroup is required",
        "{'action':'TERMINATE_EXECUTIONS','filter':{'task':'a'}} | filter.task needs a nodeGroup",
        "{'action':'RESUME_JOBS','everything':true,'reason':'x'} | reason is for PAUSE_JOBS only",
        "{'action':'DISCARD_DEAD','everything':true,'params':{}} | params and keepSucceeded are",
        "{'action':'REPLAY_DEAD','everything':true,'params':{},'keepSucceeded':true} | params"
            + " cannot be combined",
        "{'action':'REPLAY_DEAD','filter':{'handler':'h'}} | filter.handler is not for REPLAY_DEAD",
      })
  void refusalSaysWhatIsWrong(String body, String why) throws Exception {
    Answered refused = request(body.replace('\'', '"'));

    assertThat(refused.status()).as(refused.body()).isEqualTo(422);
    assertThat(refused.as(Problem.class).detail()).contains(why);
  }

  @Test
  void nodeGroupThatDoesNotExistIsNotFound() throws Exception {
    Answered refused = request("{\"action\":\"PAUSE_JOBS\",\"filter\":{\"nodeGroup\":\"absent\"}}");

    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.body()).contains("there is no node group absent");
    assertThat(request("{\"action\":\"EAT_JOBS\",\"everything\":true}").status()).isEqualTo(400);
  }
}
