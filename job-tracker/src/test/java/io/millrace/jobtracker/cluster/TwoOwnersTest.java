package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.WheelTimer;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Two trackers that both believe they own a node group, and each have workers that pull from them:
 * what one has claimed, the other has in memory still, and hands it out nevertheless to nobody.
 */
@Timeout(120)
class TwoOwnersTest {
  private static final String GROUP = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int JOBS = 400;
  private static final int FIRES = 20;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Journal journal = new Journal();

  private <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  @AfterEach
  void closeWhatIsOpen() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  @ParameterizedTest
  @EveryDatabase(takesLong = true)
  void triggerIsHandedOutOnceWhoeverBelievesItsOwn(TestDatabase.Kind kind) {
    TestDatabase database = open(kind.open());
    LedgerSql ledger = new LedgerSql(database);
    JobClient one = tracker("one", database.stores(), database.config());
    JobClient two = tracker("two", database.anotherTracker(), database.config());

    assertThat(submit(one, "recurring", 0)).isTrue();
    for (int from = 0; from < JOBS; from += 100) {
      assertThat(submit(from % 200 == 0 ? one : two, "job-", from)).isTrue();
    }
    await("all ends").atMost(PATIENCE).until(() -> ledger.ends() >= JOBS + FIRES);

    assertThat(ledger.ends()).isEqualTo(JOBS + FIRES);
    assertThat(ledger.triggersNotEndedOnce()).isEmpty();
    assertThat(ledger.triggersWithoutSuccess()).isEmpty();
    assertThat(ledger.strangeRuns(journal.runs())).isEmpty();
    assertThat(journal.runs()).extracting(Run::trigger).doesNotHaveDuplicates();
    assertThat(journal.runs()).extracting(Run::workerId).contains("of-one", "of-two");
  }

  private static boolean submit(JobClient client, String prefix, int from) {
    List<Job> jobs =
        prefix.equals("recurring")
            ? List.of(
                Job.builder(GROUP, prefix)
                    .every(Duration.ofMillis(100))
                    .times(FIRES)
                    .misfire(MisfirePolicy.all().atMost(1_000))
                    .overlap(OverlapPolicy.allow())
                    .build())
            : IntStream.range(from, from + 100)
                .mapToObj(i -> Job.builder(GROUP, prefix + i).build())
                .toList();
    return client.submitAll(jobs).stream().allMatch(SubmitResult::isStored);
  }

  /** A tracker with a mind of its own, and a worker and a client that know no other. */
  private JobClient tracker(String name, Stores stores, StoreConfig store) {
    int port = FreePort.find();
    ExecutorService threads = Executors.newCachedThreadPool(NamedThreads.daemon("test-" + name));
    open(threads::shutdownNow);
    WheelTimer wheel = open(new WheelTimer("test-wheel-" + name));
    SystemClock clock = new SystemClock();
    JobTrackerConfig config = TrackerProcess.config(port, store);
    JobTracker tracker =
        open(
            JobTracker.over(
                config.tracker(),
                new TrackerRuntime(
                    Deluded.around(stores),
                    new NettyRpcServer(config.rpc(), name, wheel, clock, 1),
                    new TimedExecutor(clock, wheel, threads),
                    new Random(1))));
    tracker.start();
    TaskTracker worker =
        open(
            TaskTracker.builder()
                .trackers("127.0.0.1:" + port)
                .nodeGroup(GROUP)
                .id("of-" + name)
                .slots(8)
                .runner(journal.noting("of-" + name, (context, times) -> Result.success()))
                .build());
    worker.start();
    return open(JobClient.builder().trackers("127.0.0.1:" + port).build());
  }
}
