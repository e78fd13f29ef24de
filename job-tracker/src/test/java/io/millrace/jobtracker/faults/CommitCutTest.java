package io.millrace.jobtracker.faults;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.batch.RunStopper;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.faults.CommitCutter.Cut;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections to a real server that break in the middle of a commit, with the real driver. */
@Tag("database")
class CommitCutTest {
  /** The wire reads the text of statements. */
  private static final String LEGIBLE = "&sslMode=DISABLED&useServerPrepStmts=false";

  private final HandTime time = new HandTime();
  private TestDatabase database;
  private CommitCutter wire;
  private JdbcStores over;
  private Stores stores;
  private HandDrivenTracker tracker;
  private HandDrivenWorker worker;

  @BeforeEach
  void openDatabaseBehindTheWire() throws IOException {
    database = TestDatabase.onServer();
    StoreConfig config = database.config();
    URI server = URI.create(config.url().substring("jdbc:".length()));
    wire = new CommitCutter(server.getHost(), server.getPort());
    over =
        JdbcStores.open(
            new StoreConfig(
                config.url().replace(server.getAuthority(), "127.0.0.1:" + wire.port()) + LEGIBLE,
                config.username(),
                config.password(),
                4,
                StoreConfig.DEFAULT_CONNECTION_TIMEOUT));
    stores = over.stores();
    tracker = new HandDrivenTracker(1, stores, time);
    worker = tracker.worker("worker-1");
  }

  @AfterEach
  void closeAll() throws IOException {
    over.close();
    wire.close();
    database.close();
  }

  private <T> T cutting(Cut cut, Supplier<T> write) {
    wire.cutNext(cut);
    T result = write.get();
    assertThat(wire.hasCut()).as("the commit was cut").isTrue();
    return result;
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_THE_COMMIT", "BEFORE_THE_ANSWER"})
  void requestsOfClientsAreAnsweredAsIfNothingHadHappened(Cut cut) {
    assertThat(cutting(cut, () -> tracker.submit(job("once").build())))
        .isEqualTo(SubmitResult.accepted("once"));
    assertThat(waiting("once")).hasSize(1);

    assertThat(
            cutting(cut, () -> tracker.submit(job("once").replaceExisting(true).build())).status())
        .isEqualTo(SubmitStatus.REPLACED);
    assertThat(waiting("once")).hasSize(1);
    assertThat(ends("once")).containsExactly("CANCELLED");

    assertThat(cutting(cut, () -> tracker.submit(job("poll").every(MINUTE).build())).status())
        .isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(waiting("poll")).hasSize(11);

    assertThat(cutting(cut, () -> tracker.pause("poll")).status()).isEqualTo(ChangeStatus.CHANGED);
    assertThat(waiting("poll")).isEmpty();
    assertThat(cutting(cut, () -> tracker.resume("poll")).status()).isEqualTo(ChangeStatus.CHANGED);
    assertThat(waiting("poll")).hasSize(10);

    assertThat(cutting(cut, () -> tracker.runNow("poll")).ordinal()).isEqualTo(1);
    assertThat(waiting("poll")).hasSize(11);

    assertThat(cutting(cut, () -> tracker.cancel("once"))).isEqualTo(new CancelResult(true, 1, 0));
    assertThat(cutting(cut, () -> tracker.cancel("poll"))).isEqualTo(new CancelResult(true, 11, 0));
    assertThat(waiting("poll")).isEmpty();
    assertThat(ends("once")).containsExactly("CANCELLED", "CANCELLED");
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_THE_COMMIT", "BEFORE_THE_ANSWER"})
  void workIsHandedOutAndAcknowledgedOnce(Cut cut) {
    tracker.submit(job("close").feedback(true).build());
    tracker.load();

    List<Assignment> taken = cutting(cut, () -> worker.receive(worker.pull(1)));

    assertThat(taken).singleElement().matches(assignment -> assignment.attempt() == 1);
    assertThat(stores.executing().findByGroup(GROUP, 0, 10))
        .singleElement()
        .matches(execution -> execution.id() == taken.get(0).executionId());

    assertThat(cutting(cut, () -> worker.succeed(taken.get(0))))
        .isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("close")).containsExactly("SUCCEEDED");

    List<Long> told =
        stores.feedback().read("shop", Long.MIN_VALUE, 10).stream().map(row -> row.id()).toList();
    assertThat(told).hasSize(1);
    cutting(
        cut,
        () -> {
          stores.feedback().delete(told);
          return true;
        });
    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_THE_COMMIT", "BEFORE_THE_ANSWER"})
  void dutiesDoTheirWorkOnce(Cut cut) {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.none()).build());
    time.pass(MINUTE.multipliedBy(9));
    assertThat(cutting(cut, tracker::generate).triggers()).isPositive();
    assertThat(tracker.generate().triggers()).isZero();
    int generated = waiting("poll").size();

    cutting(cut, tracker::load);
    assertThat(waiting("poll")).hasSize(generated - 9);
    assertThat(ends("poll")).containsOnly("SKIPPED");

    Assignment lost = worker.take(1).get(0);
    cutting(cut, () -> tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.plusSeconds(3)));
    assertThat(stores.executing().find(List.of(lost.executionId()))).isEmpty();
    assertThat(ends("poll")).endsWith("RESCUED");

    database.execute(
        "DELETE FROM jt_waiting_orders WHERE planned_at > " + (time.millis() + 60_000));
    cutting(cut, tracker::reconcile);
    assertThat(tracker.reconcile().isNothing()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_THE_COMMIT", "BEFORE_THE_ANSWER"})
  void leasesAndNodeGroupsAreTakenOnce(Cut cut) {
    long now = time.millis();
    NodeGroup fresh = cutting(cut, () -> stores.nodeGroups().ensure("fresh", 10));
    assertThat(stores.nodeGroups().all()).contains(fresh);
    assertThat(cutting(cut, () -> stores.nodeGroups().takeOwnership("fresh", 7, fresh.epoch())))
        .isTrue();
    assertThat(stores.nodeGroups().find("fresh").orElseThrow().epoch())
        .isEqualTo(fresh.epoch() + 1);

    Tracker taken = cutting(cut, () -> stores.trackers().acquire("t-1", "a:1", now, now + 9_000));
    assertThat(taken.number()).isZero();
    assertThat(cutting(cut, () -> stores.trackers().renew(taken.number(), "t-1", now + 10_000)))
        .isTrue();
    assertThat(stores.liveTrackers().at(now))
        .containsExactly(new Tracker(0, "t-1", "a:1", now + 10_000, FeatureLevel.OWN.number()));
    Tracker again =
        cutting(cut, () -> stores.trackers().acquire("t-2", "b:1", now + 20_000, now + 30_000));
    assertThat(stores.liveTrackers().at(now + 20_000)).containsExactly(again);
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_THE_COMMIT", "BEFORE_THE_ANSWER"})
  void requiredLevelIsRaised(Cut cut) {
    for (FeatureLevel level : List.of(FeatureLevel.CHECK, new FeatureLevel(2, "batches"))) {
      cutting(
          cut,
          () -> {
            stores.trackers().require(level);
            return true;
          });
      assertThat(stores.trackers().requiredLevel()).isEqualTo(level);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_THE_COMMIT", "BEFORE_THE_ANSWER"})
  void runThatIsSplitGoesOnToItsEnd(Cut cut) {
    tracker.submit(job("close").shards(300).build());
    tracker.load();

    List<Assignment> parts = new ArrayList<>(cutting(cut, () -> worker.receive(worker.pull(200))));
    assertThat(batches()).hasSize(1);
    parts.addAll(worker.takeAll(200 - parts.size()));
    assertThat(parts).hasSize(200);

    assertThat(cutting(cut, () -> worker.succeed(parts.get(0))))
        .isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(batches().get(0).counts().ended().succeeded()).isEqualTo(1);
    succeed(parts.subList(1, 129));
    assertThat(cutting(cut, tracker::runBatches)).isNotNull();
    assertThat(batches().get(0).counts().released()).isEqualTo(300);
    assertThat(waiting(PartKey.taskIdOf(batches().get(0).id()))).hasSize(100);
    assertThat(cutting(cut, () -> tracker.cancel("close"))).isEqualTo(new CancelResult(true, 0, 1));
    assertThat(batches().get(0).counts().live()).isEqualTo(71);
    succeed(parts.subList(129, 200));
    assertThat(cutting(cut, tracker::runBatches).ended()).isEqualTo(1);

    assertThat(batches()).isEmpty();
    assertThat(ends("close")).containsExactly("CANCELLED");
  }

  private void succeed(List<Assignment> parts) {
    worker.reportAll(
        parts.stream()
            .map(part -> worker.result(part.executionId(), Outcome.SUCCESS, null))
            .toArray(ExecutionResult[]::new));
  }

  /** Of a run that was told to end, in the search of the owner. */
  @ParameterizedTest
  @EnumSource(names = {"BEFORE_THE_COMMIT", "BEFORE_THE_ANSWER"})
  void partsAreWithdrawnOnce(Cut cut) {
    tracker.submit(job("close").shards(20).build());
    tracker.load();
    worker.receive(worker.pull(1));
    RunStopper stopper = new RunStopper(stores, tracker.ids());
    stores
        .transactions()
        .run("stop", () -> assertThat(stopper.cancel(GROUP, "close", time.millis())).isNotNull());
    long id = batches().get(0).id();

    cutting(cut, tracker::runBatches);

    assertThat(waiting(PartKey.taskIdOf(id))).isEmpty();
    assertThat(batches().get(0).counts().live()).isEqualTo(1);
    assertThat(stores.ledger().countEndsOfParts(id)).isEqualTo(PartEnds.cancelled(19));
  }

  private List<Batch> batches() {
    return stores.batches().findUnderWay(GROUP, 0, 10);
  }

  /** A look that does not wait for it would find nothing, and hand the same trigger out twice. */
  @Test
  void whoAsksForTheOutcomeWaitsForACommitThatIsStillOnItsWay() {
    tracker.submit(job("close").build());
    tracker.load();
    wire.cutNext(Cut.COMMIT_ARRIVES_LATER);
    try (Racer racer = new Racer()) {
      Future<List<Assignment>> taking = racer.start(() -> worker.receive(worker.pull(1)));
      await().until(() -> database.busySessions() == 1);
      assertThat(taking).isNotDone();

      wire.deliver();

      assertThat(Racer.resultOf(taking))
          .singleElement()
          .satisfies(
              assignment ->
                  assertThat(stores.executing().findByGroup(GROUP, 0, 10))
                      .singleElement()
                      .matches(execution -> execution.id() == assignment.executionId()));
    }
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private List<WaitingTrigger> waiting(String taskId) {
    return stores.waiting().findByTask(GROUP, taskId);
  }

  private List<String> ends(String taskId) {
    return stores.ledger().readAfter(Long.MIN_VALUE, 1_000).stream()
        .filter(row -> row.key().taskId().equals(taskId))
        .map(row -> row.status().name())
        .toList();
  }
}
