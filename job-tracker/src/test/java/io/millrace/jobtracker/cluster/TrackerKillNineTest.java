package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.tasktracker.TaskTracker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tracker in a process of its own, killed and restarted while jobs are submitted and run. */
@Timeout(180)
class TrackerKillNineTest {
  private static final String GROUP = "orders";
  private static final int ONE_SHOTS = 1_500;
  private static final int REPEAT_TIMES = 60;
  private static final int DELAY_TIMES = 30;
  private static final int ENDS = ONE_SHOTS + REPEAT_TIMES + DELAY_TIMES;
  private static final int KILLS = 3;

  /** One-shots submitted and not yet ended: so that they are submitted while others run. */
  private static final int WINDOW = 250;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path directory;

  private final int port = FreePort.find();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Journal journal = new Journal();
  private final Map<String, SubmitStatus> answers = new ConcurrentHashMap<>();
  private final Map<String, Disposition> feedback = new ConcurrentHashMap<>();
  private final Semaphore window = new Semaphore(WINDOW);

  @AfterEach
  void closeWhatIsOpen() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.add(resource);
    return resource;
  }

  @Test
  void whatWasAcknowledgedEndsExactlyOnceAndNothingThatEndedRunsAgain() throws Exception {
    killAndRestart(TestDatabase.Kind.H2);
  }

  @Test
  @Tag("database")
  @Tag("long")
  void whatWasAcknowledgedEndsExactlyOnceOnAServerToo() throws Exception {
    killAndRestart(TestDatabase.Kind.server());
  }

  private void killAndRestart(TestDatabase.Kind kind) throws Exception {
    StoreConfig store = prepareDatabase(kind);
    ChildJvm tracker = startTracker(store);
    JobClient client = startClient();
    List<TaskTracker> workers = List.of(startWorker("worker-1"), startWorker("worker-2"));
    Future<?> submits = startSubmitting(client);

    for (int answered : momentsToKill()) {
      awaitOf(tracker, "%d answers".formatted(answered), () -> answers.size() >= answered);
      assertThat(tracker.isAlive()).as(tracker.said()).isTrue();
      tracker.kill();
      tracker = startTracker(store);
    }
    submits.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    awaitOf(tracker, "feedback of every trigger", () -> feedback.size() >= ENDS);
    workers.forEach(TaskTracker::close);
    client.close();
    assertThat(tracker.stop()).as(tracker.said()).isZero();

    assertThat(answers)
        .hasSize(ONE_SHOTS + recurring().size())
        .allSatisfy((taskId, status) -> isAccepted(status));
    assertLedger(reopenDatabase(kind));
  }

  /** Says what the tracker was doing if it does not get there. */
  private static void awaitOf(ChildJvm tracker, String what, Callable<Boolean> condition) {
    try {
      await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(condition);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(what + " were awaited in vain\n" + tracker.saidAndDoes(), e);
    }
  }

  private static void isAccepted(SubmitStatus status) {
    assertThat(status).isEqualTo(SubmitStatus.ACCEPTED);
  }

  private void assertLedger(TestDatabase database) {
    LedgerSql ledger = new LedgerSql(database);
    assertThat(ledger.triggersNotEndedOnce()).isEmpty();
    assertThat(ledger.triggersWithoutSuccess()).isEmpty();
    assertThat(ledger.ends()).isEqualTo(ENDS);
    assertThat(ledger.endedTasks()).containsExactlyInAnyOrderElementsOf(answers.keySet());
    assertThat(ledger.executionsAfterTheEnd()).isEmpty();
    assertThat(journal.runs()).extracting(Run::executionId).doesNotHaveDuplicates();
    assertThat(ledger.strangeRuns(journal.runs())).isEmpty();
    assertThat(database.count("jt_waiting_" + GROUP)).isZero();
    assertThat(database.count("jt_executing")).isZero();
    assertThat(feedback)
        .hasSize(ENDS)
        .allSatisfy((trigger, end) -> assertThat(end).isEqualTo(Disposition.SUCCEEDED));
  }

  /** H2 lets one process at a time into its files: the test's own has to leave. */
  private StoreConfig prepareDatabase(TestDatabase.Kind kind) {
    if (kind.isServer()) {
      return open(kind.open()).config();
    }
    try (TestDatabase database = TestDatabase.h2(directory)) {
      return database.config();
    }
  }

  private TestDatabase reopenDatabase(TestDatabase.Kind kind) {
    return kind == TestDatabase.Kind.H2
        ? open(TestDatabase.h2(directory))
        : (TestDatabase) opened.get(0);
  }

  private ChildJvm startTracker(StoreConfig store) {
    return open(TrackerProcess.start(directory.resolve("tracker.log"), port, store));
  }

  private JobClient startClient() {
    JobClient client =
        JobClient.builder()
            .trackers("127.0.0.1:" + port)
            .clientGroup("shop")
            .requestTimeout(PATIENCE)
            .closeTimeout(Duration.ZERO)
            .maxJobsInFlight(64)
            .build();
    client.onResult(this::told);
    return open(client);
  }

  private void told(TriggerResult result) {
    String trigger = result.taskId() + "@" + result.plannedFor().toEpochMilli();
    boolean isNew = feedback.put(trigger, result.disposition()) == null;
    if (isNew && result.taskId().startsWith("one-")) {
      window.release();
    }
  }

  private TaskTracker startWorker(String id) {
    TaskTracker worker =
        TaskTracker.builder()
            .trackers("127.0.0.1:" + port)
            .nodeGroup(GROUP)
            .id(id)
            .slots(8)
            .shutdownGrace(Duration.ZERO)
            .runner(journal.noting(id, Workload::behave))
            .build();
    worker.start();
    return open(worker);
  }

  private Future<?> startSubmitting(JobClient client) {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    open(thread::shutdownNow);
    return thread.submit(() -> submit(client));
  }

  private Void submit(JobClient client) throws InterruptedException {
    List<CompletableFuture<Void>> answered = new ArrayList<>();
    for (Job job : recurring()) {
      answered.add(submit(client, job));
    }
    for (int i = 0; i < ONE_SHOTS; i++) {
      window.acquire();
      Job.Builder job = job("one-" + i, behaviourOf(i)).priority(i % 3 * 100);
      answered.add(submit(client, job.build()));
    }
    return CompletableFuture.allOf(answered.toArray(CompletableFuture[]::new)).join();
  }

  private CompletableFuture<Void> submit(JobClient client, Job job) {
    return client
        .submitAsync(job)
        .thenAccept(result -> answers.put(result.taskId(), result.status()));
  }

  private static List<Job> recurring() {
    return List.of(
        job("repeat", Behaviour.SUCCEED)
            .every(Duration.ofMillis(100))
            .times(REPEAT_TIMES)
            .misfire(MisfirePolicy.all().atMost(1_000))
            .overlap(OverlapPolicy.allow())
            .build(),
        job("delay", Behaviour.POSTPONE_ONCE)
            .fixedDelay(Duration.ofMillis(50))
            .times(DELAY_TIMES)
            .build());
  }

  private static Behaviour behaviourOf(int index) {
    return switch (index % 10) {
      case 1 -> Behaviour.THROW_ONCE;
      case 2 -> Behaviour.POSTPONE_ONCE;
      default -> Behaviour.SUCCEED;
    };
  }

  /** An attempt that is lost with a tracker counts: so there are more than kills and failures. */
  private static Job.Builder job(String taskId, Behaviour behaviour) {
    return Job.builder(GROUP, taskId)
        .param("behaviour", behaviour.name())
        .retry(Behaviour.RETRY.withMaxRetries(2 * KILLS))
        .feedback(true);
  }

  /**
   * How many submits have been answered at the moments of the kills. More than the window apart:
   * between two kills, jobs were submitted and jobs ended.
   */
  private static List<Integer> momentsToKill() {
    Random random = new Random(31);
    List<Integer> moments = new ArrayList<>();
    for (int i = 1; i <= KILLS; i++) {
      moments.add(i * 400 - random.nextInt(400 - WINDOW));
    }
    return moments;
  }
}
