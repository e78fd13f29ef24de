package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.netty.NettyRpcConnector;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import io.millrace.tasktracker.WorkerResources;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes closed in the middle of their work: what they have goes on, elsewhere or later. */
@Timeout(120)
class GracefulStopTest {
  private static final String GROUP = "orders";
  private static final String WAITING = "jt_waiting_" + GROUP;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final TestDatabase database = open(TestDatabase.h2());
  private final LedgerSql ledger = new LedgerSql(database);
  private final int port = FreePort.find();
  private final Journal journal = new Journal();
  private final JobTracker tracker = startTracker();
  private final JobClient client = open(JobClient.builder().trackers("127.0.0.1:" + port).build());

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

  private JobTracker startTracker() {
    JobTracker started = open(JobTracker.create(TrackerProcess.config(port, database.config())));
    started.start();
    return started;
  }

  private TaskTrackerBuilder worker(String id, Journal.Invocation invocation) {
    return TaskTracker.builder()
        .trackers("127.0.0.1:" + port)
        .nodeGroup(GROUP)
        .id(id)
        .slots(4)
        .shutdownGrace(Duration.ZERO)
        .runner(journal.noting(id, invocation));
  }

  private TaskTracker start(TaskTrackerBuilder builder) {
    TaskTracker worker = open(builder.build());
    worker.start();
    return worker;
  }

  private void submit(String prefix, int count) {
    List<Job> jobs =
        IntStream.range(0, count).mapToObj(i -> Job.builder(GROUP, prefix + i).build()).toList();
    assertThat(client.submitAll(jobs)).allMatch(SubmitResult::isStored);
  }

  private void awaitEnds(int count) {
    await("%d ends".formatted(count)).atMost(PATIENCE).until(() -> ledger.ends() >= count);
    assertThat(ledger.ends()).isEqualTo(count);
    assertThat(ledger.triggersNotEndedOnce()).isEmpty();
    assertThat(ledger.triggersWithoutSuccess()).isEmpty();
    assertThat(ledger.strangeRuns(journal.runs())).isEmpty();
    assertThat(journal.runs()).extracting(Run::executionId).doesNotHaveDuplicates();
    assertThat(database.count(WAITING)).isZero();
    assertThat(database.count("jt_executing")).isZero();
  }

  @Test
  void aClosedWorkerGivesBackWhatItHasNotBegunAndWhatItInterrupts() {
    CountDownLatch never = new CountDownLatch(1);
    WorkerResources oneThread = oneThreadForFourSlots("closing");
    TaskTracker closing =
        start(
            worker(
                    "closing",
                    (context, times) -> {
                      never.await();
                      return Result.success();
                    })
                .resources(oneThread));
    submit("job-", 50);
    await().atMost(PATIENCE).until(() -> database.count("jt_executing") == 4);
    await().atMost(PATIENCE).until(() -> journal.size() == 1);
    start(worker("staying", (context, times) -> Result.success()));

    closing.close();
    awaitEnds(50);

    assertThat(journal.runs()).filteredOn(run -> run.workerId().equals("closing")).hasSize(1);
    assertThat(
            database.query(
                "SELECT cause FROM jt_history WHERE worker_id = 'closing' ORDER BY cause"))
        .containsExactly("NOT_STARTED", "NOT_STARTED", "NOT_STARTED", "WORKER_SHUTDOWN");
    assertThat(database.count("jt_history WHERE attempt <> 1")).isZero();
  }

  /** Of four executions that such a worker holds, three have not begun. */
  private WorkerResources oneThreadForFourSlots(String id) {
    WheelTimer timer = open(new WheelTimer("test-worker-wheel"));
    ExecutorService loop = Executors.newSingleThreadExecutor(NamedThreads.daemon("test-loop"));
    ExecutorService jobs = Executors.newSingleThreadExecutor(NamedThreads.daemon("test-job"));
    open(loop::shutdownNow);
    open(jobs::shutdownNow);
    SystemClock clock = new SystemClock();
    NettyRpcConnector connector =
        new NettyRpcConnector(
            RpcConnectorConfig.of(NodeRole.WORKER, id, GROUP, null), timer, clock, 1);
    open(connector::close);
    return new WorkerResources(clock, timer, loop, jobs, connector);
  }

  @Test
  void anInvocationThatOutlastsTheLeaseWhileItsWorkerClosesStillCounts() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    TaskTracker closing =
        start(
            worker(
                    "closing",
                    (context, times) -> {
                      mayEnd.await();
                      return Result.success();
                    })
                .shutdownGrace(PATIENCE));
    submit("long-", 1);
    await().atMost(PATIENCE).until(() -> journal.size() == 1);
    CompletableFuture<Void> closed = closing.closeAsync();
    start(worker("staying", (context, times) -> Result.success()));

    Duration longerThanTheLease = TrackerProcess.WORKER_LEASE.plusSeconds(1);
    SubmitResult marker =
        client.submit(Job.builder(GROUP, "marker").after(longerThanTheLease).build());
    assertThat(marker.isStored()).isTrue();
    await("the end of the marker").atMost(PATIENCE).until(() -> ledger.ends() == 1);
    assertThat(closed).isNotDone();
    mayEnd.countDown();
    awaitEnds(2);

    assertThat(database.query("SELECT worker_id FROM jt_history WHERE task_id = 'long-0'"))
        .containsExactly("closing");
    await("the worker to be closed").atMost(PATIENCE).until(closed::isDone);
  }

  @Test
  void aClosedTrackerLosesNothingAndGoesOnWhenItIsBack() {
    Journal.Invocation invocation =
        (context, times) -> {
          WorkerProcess.work();
          return Result.success();
        };
    start(worker("worker-1", invocation).slots(8));
    start(worker("worker-2", invocation).slots(8));
    submit("job-", 1_000);

    JobTracker closing = tracker;
    for (int restart = 1; restart <= 2; restart++) {
      int invocations = restart * 250;
      await("%d invocations".formatted(invocations))
          .atMost(PATIENCE)
          .until(() -> journal.size() > invocations);
      closing.close();
      closing = startTracker();
    }

    awaitEnds(1_000);
    assertThat(ledger.rescued()).isEmpty();
  }
}
