package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitStatus;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.SqlScript;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** What an operator changes by {@code scripts/sql} while a tracker, a worker and a client run. */
@ParameterizedClass(name = "{0}")
@EveryDatabase(takesLong = true)
@Timeout(120)
class OperationsClusterTest {
  private static final String GROUP = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Nobody tells the tracker what a script has changed: its next load finds it. */
  private static final ServiceConfig LOADS_OFTEN =
      new ServiceConfig(
          Duration.ofSeconds(2),
          new ServiceConfig.Workers(TrackerProcess.WORKER_LEASE, Duration.ofSeconds(1)),
          new ServiceConfig.Preload(Duration.ofMillis(200), Duration.ofSeconds(5)),
          Duration.ofMinutes(5));

  @Parameter TestDatabase.Kind kind;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Queue<String> ran = new ConcurrentLinkedQueue<>();
  private volatile boolean fails = true;
  private TestDatabase database;
  private int port;
  private JobClient client;

  @BeforeEach
  void startCluster() {
    database = open(kind.open());
    port = FreePort.find();
    JobTracker tracker =
        open(JobTracker.create(TrackerProcess.config(port, database.config(), LOADS_OFTEN)));
    tracker.start();
    client = open(JobClient.builder().trackers("127.0.0.1:" + port).build());
  }

  @AfterEach
  void closeWhatIsOpen() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  private TaskTracker startWorker() {
    TaskTracker worker =
        open(
            TaskTracker.builder()
                .trackers("127.0.0.1:" + port)
                .nodeGroup(GROUP)
                .slots(4)
                .runner(this::run)
                .build());
    worker.start();
    return worker;
  }

  private Result run(JobContext context) {
    if (fails) {
      throw new IllegalStateException("the printer is out of ink");
    }
    ran.add(context.taskId() + " " + context.attempt() + " " + context.params());
    return Result.success();
  }

  private SqlScript script(String name) throws Exception {
    return SqlScript.of(kind, name);
  }

  private long ends(String condition) {
    return database.count("jt_history WHERE " + condition);
  }

  private static Job.Builder job(String taskId) {
    return Job.builder(GROUP, taskId).param("of", taskId);
  }

  /** A job that fires at once, then in an hour, and has one attempt. */
  private static Job.Builder dyingJob(String taskId) {
    return job(taskId).every(Duration.ofHours(1)).retry(0);
  }

  @Test
  void requeuedDeadTriggerIsClaimedAndRunWithTheParametersOfItsJob() throws Exception {
    startWorker();
    client.submit(dyingJob("report").build());
    await().atMost(PATIENCE).until(() -> ends("status = 'DEAD'") == 1);
    fails = false;

    long dead = Long.parseLong(script("dead").run(database).get(0).get("execution_id"));
    assertThat(script("requeue").with("execution_id", dead).answer(database)).isEqualTo("requeued");

    await().atMost(PATIENCE).until(() -> ends("status = 'SUCCEEDED'") == 1);
    assertThat(ran).containsExactly("report 1 {of=report}");
    assertThat(
            database.query(
                "SELECT CONCAT(h.ordinal, ' ', h.status, ' ',"
                    + " CASE WHEN h.replay_of = d.id THEN 'replay' ELSE '-' END)"
                    + " FROM jt_history h"
                    + " JOIN jt_history d ON d.status = 'DEAD' AND d.planned_at = h.planned_at"
                    + " AND d.planned_for = h.planned_for ORDER BY h.id"))
        .containsExactly("0 DEAD -", "1 SUCCEEDED replay");
    assertThat(script("dead").run(database)).isEmpty();
    assertThat(database.query("SELECT running FROM jt_job"))
        .as("the turn of the replay is over")
        .containsExactly("0");
  }

  @Test
  void allDeadTriggersOfAGroupAreRunAgainByOneScript() throws Exception {
    startWorker();
    for (int i = 0; i < 5; i++) {
      client.submit(dyingJob("report-" + i).build());
    }
    await().atMost(PATIENCE).until(() -> ends("status = 'DEAD'") == 5);
    fails = false;

    assertThat(script("requeue-all").answer(database)).isEqualTo("5");

    await().atMost(PATIENCE).until(() -> ends("status = 'SUCCEEDED'") == 5);
    assertThat(ran)
        .containsExactlyInAnyOrder(
            "report-0 1 {of=report-0}",
            "report-1 1 {of=report-1}",
            "report-2 1 {of=report-2}",
            "report-3 1 {of=report-3}",
            "report-4 1 {of=report-4}");
    assertThat(script("requeue-all").answer(database)).isEqualTo("0");
  }

  @Test
  void retryThatIsBroughtForwardRunsAtOnceAsTheSameAttempt() throws Exception {
    RetryPolicy hours = RetryPolicy.retries(3).withDelays(Duration.ofHours(5), Duration.ofHours(9));
    startWorker();
    client.submit(job("once").retry(hours).build());
    client.submit(job("often").every(Duration.ofHours(1)).retry(hours).build());
    await().atMost(PATIENCE).until(() -> ends("status = 'RETRIED'") == 2);
    fails = false;

    assertThat(script("retry-now").answer(database)).isEqualTo("2");

    await().atMost(PATIENCE).until(() -> ends("status = 'SUCCEEDED'") == 2);
    assertThat(ran).containsExactlyInAnyOrder("once 2 {of=once}", "often 2 {of=often}");
    assertThat(database.count("jt_executing")).isZero();
  }

  @Test
  void killedGroupLeavesNothingBehindAndComesBackWhenTheSameClientSubmitsAgain() throws Exception {
    TaskTracker worker = startWorker();
    client.submit(dyingJob("report").build());
    client.submit(job("later").after(Duration.ofDays(1)).build());
    client.submit(dyingJob("report").every(Duration.ofHours(2)).replaceExisting(true).build());
    await().atMost(PATIENCE).until(() -> ends("status = 'DEAD'") >= 1);
    worker.close();

    assertThat(script("kill-node-group").with("node_group", GROUP).answer(database))
        .isEqualTo("removed");

    for (String table :
        List.of("jt_node_group", "jt_job", "jt_job_submission", "jt_executing", "jt_feedback")) {
      assertThat(database.count(table)).as(table).isZero();
    }
    assertThat(database.stores().nodeGroups().tables()).isEmpty();
    assertThat(ends("task_id = 'later' AND status = 'CANCELLED'")).isEqualTo(1);

    fails = false;
    assertThat(client.submit(job("later").build()).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(client.submit(dyingJob("report").build()).status()).isEqualTo(SubmitStatus.ACCEPTED);
    startWorker();

    await().atMost(PATIENCE).until(() -> ends("status = 'SUCCEEDED'") == 2);
    assertThat(ran).containsExactlyInAnyOrder("later 1 {of=later}", "report 1 {of=report}");
    assertThat(database.query("SELECT version FROM jt_job")).containsExactly("1");
  }

  /** A worker that is not stopped finishes what it has begun, in vain. */
  @Test
  void killedGroupRefusesTheResultsOfWhatWasUnderWay() throws Exception {
    fails = false;
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    TaskTracker worker =
        open(
            TaskTracker.builder()
                .trackers("127.0.0.1:" + port)
                .nodeGroup(GROUP)
                .slots(4)
                .runner(
                    context -> {
                      begun.countDown();
                      end.await();
                      return Result.success();
                    })
                .build());
    worker.start();
    client.submit(job("long").build());
    begun.await();

    assertThat(script("kill-node-group").with("node_group", GROUP).answer(database))
        .isEqualTo("removed");
    end.countDown();
    worker.close();

    assertThat(database.query("SELECT CONCAT(task_id, ' ', status) FROM jt_history"))
        .containsExactly("long CANCELLED");
    assertThat(database.count("jt_executing")).isZero();
  }
}
