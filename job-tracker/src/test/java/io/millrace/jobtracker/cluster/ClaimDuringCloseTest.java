package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.WheelTimer;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A tracker closed at the worst moment: it has claimed what nobody knows of yet. A job with a
 * single attempt must not lose it that way.
 */
@Timeout(60)
class ClaimDuringCloseTest {
  private static final String GROUP = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final TestDatabase database = open(TestDatabase.h2());
  private final int port = FreePort.find();
  private final HeldClaims claims = HeldClaims.of(database.stores());
  private final LedgerSql ledger = new LedgerSql(database);
  private final Journal journal = new Journal();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(NamedThreads.daemon("test-tracker"));
  private final JobTracker tracker = open(trackerWithHeldClaims());

  private <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  @AfterEach
  void closeWhatIsOpen() throws Exception {
    claims.release();
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private JobTracker trackerWithHeldClaims() {
    open(threads::shutdownNow);
    WheelTimer wheel = open(new WheelTimer("test-tracker-wheel"));
    SystemClock clock = new SystemClock();
    JobTrackerConfig config = TrackerProcess.config(port, database.config());
    return JobTracker.over(
        config.tracker(),
        new TrackerRuntime(
            claims.in(database.stores()),
            new NettyRpcServer(config.rpc(), "tracker", wheel, clock, 1),
            new TimedExecutor(clock, wheel, threads),
            new Random(1)));
  }

  private void startWorkerAndSubmit() {
    TaskTracker worker =
        open(
            TaskTracker.builder()
                .trackers("127.0.0.1:" + port)
                .nodeGroup(GROUP)
                .id("worker")
                .runner(journal.noting("worker", (context, times) -> Result.success()))
                .build());
    worker.start();
    JobClient client = open(JobClient.builder().trackers("127.0.0.1:" + port).build());
    Job withOneAttempt = Job.builder(GROUP, "one-attempt").retry(0).build();
    assertThat(client.submit(withOneAttempt).isStored()).isTrue();
  }

  @Test
  void aClaimThatNoWorkerHeardOfComesBackWithItsAttemptUnchanged() {
    tracker.start();
    startWorkerAndSubmit();
    await().atMost(PATIENCE).until(claims::isOneCommitted);
    tracker.close();
    claims.release();
    assertThat(database.count("jt_executing")).isOne();

    open(JobTracker.create(TrackerProcess.config(port, database.config()))).start();
    await().atMost(PATIENCE).until(() -> ledger.ends() == 1);

    assertThat(database.query("SELECT CONCAT(status, ' ', attempt) FROM jt_history ORDER BY id"))
        .containsExactly("RETURNED 1", "SUCCEEDED 1");
    assertThat(journal.size()).isOne();
    assertThat(ledger.strangeRuns(journal.runs())).isEmpty();
  }
}
