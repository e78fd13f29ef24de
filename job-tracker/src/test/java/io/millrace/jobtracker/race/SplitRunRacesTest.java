package io.millrace.jobtracker.race;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;

/** Two transactions that write batches and executions do so in one order. */
class SplitRunRacesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Map<String, Integer> attempts = new ConcurrentHashMap<>();

  private static Job.Builder poll(HandTime time) {
    return job("poll").every(MINUTE).at(time.now()).overlap(OverlapPolicy.allow());
  }

  private Stores counting(Stores stores) {
    Transactions real = stores.transactions();
    return ForwardingTransactions.around(
        stores,
        new ForwardingTransactions(real) {
          @Override
          public <T> T inTransaction(String name, Supplier<T> work) {
            return super.inTransaction(
                name,
                () -> {
                  attempts.merge(name, 1, Integer::sum);
                  return work.get();
                });
          }
        });
  }

  /** Does something once, when the row of a batch is locked and nothing else is. */
  private static Stores afterLock(Stores stores, Runnable meanwhile) {
    boolean[] done = {false};
    return stores.with(
        BatchStore.class,
        real ->
            (BatchStore)
                Proxy.newProxyInstance(
                    BatchStore.class.getClassLoader(),
                    new Class<?>[] {BatchStore.class},
                    (proxy, called, arguments) -> {
                      try {
                        Object result = called.invoke(real, arguments);
                        if (called.getName().equals("lock") && !done[0]) {
                          done[0] = true;
                          meanwhile.run();
                        }
                        return result;
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    }));
  }

  /**
   * An end of a part and of another run of its job, with what begins while it has the row of the
   * batch and before it has that of the execution.
   */
  private void endsWhile(TestDatabase.Kind kind, Consumer<HandDrivenTracker> meanwhile) {
    try (TestDatabase database = kind.open();
        Racer racer = new Racer()) {
      HandTime time = new HandTime();
      Stores stores = counting(database.stores());
      HandDrivenTracker editing = new HandDrivenTracker(1, stores, new HandTime());
      Future<?>[] beside = new Future<?>[1];
      Runnable begins =
          () -> {
            beside[0] =
                racer.start(
                    () -> {
                      meanwhile.accept(editing);
                      return true;
                    });
            await().until(() -> database.busySessions() == 1);
          };
      HandDrivenTracker ending = new HandDrivenTracker(2, afterLock(stores, begins), time);
      HandDrivenWorker worker = ending.worker("worker-1");
      ending.submit(poll(time).build());
      Assignment plain = worker.takeOne();
      ending.submit(poll(time).shards(2).replaceExisting(true).build());
      time.pass(MINUTE);
      List<Assignment> parts = worker.take(1);
      while (parts.isEmpty()) {
        parts = worker.take(1);
      }
      attempts.clear();

      worker.reportAll(
          worker.result(plain.executionId(), Outcome.SUCCESS, null),
          worker.result(parts.get(0).executionId(), Outcome.SUCCESS, null));
      Object done = Racer.resultOf(beside[0]);

      assertThat(done).isNotNull();
      assertThat(attempts.get("end executions of orders")).as("%s", attempts).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EveryDatabase
  void editThatCountsRunsDoesNotDeadlockWithEndsOfThem(TestDatabase.Kind kind) {
    endsWhile(
        kind,
        editing ->
            assertThat(
                    editing
                        .submit(
                            job("poll")
                                .every(MINUTE)
                                .shards(2)
                                .overlap(OverlapPolicy.skip())
                                .replaceExisting(true)
                                .build())
                        .isStored())
                .isTrue());
  }

  @ParameterizedTest
  @EveryDatabase
  void terminationOfRunsDoesNotDeadlockWithEndsOfThem(TestDatabase.Kind kind) {
    endsWhile(kind, editing -> assertThat(editing.terminate("poll").running()).isPositive());
  }

  /** The worker drains, and asks for work before it is known to. */
  @ParameterizedTest
  @EveryDatabase
  void partThatIsClaimedWhileItIsToBeSkippedIsNotSkipped(TestDatabase.Kind kind) {
    try (TestDatabase database = kind.open();
        Racer racer = new Racer()) {
      Stores stores = counting(database.stores());
      HandDrivenWorker[] two = {null};
      List<Assignment> claimed = new ArrayList<>();
      Runnable claims =
          () -> claimed.addAll(Racer.resultOf(racer.start(() -> two[0].receive(two[0].pull(1)))));
      HandDrivenTracker ending =
          new HandDrivenTracker(1, afterLock(stores, claims), new HandTime());
      HandDrivenTracker claiming = new HandDrivenTracker(2, stores, new HandTime());
      HandDrivenWorker one = claiming.worker("worker-1");
      two[0] = claiming.worker("worker-2");
      one.beat();
      two[0].beat();
      claiming.submit(job("reload").broadcast().build());
      one.succeed(one.takeOne());
      ending.load();
      ending.desk().drain(List.of(new Drain("worker-2", GROUP, 0)));
      attempts.clear();

      ending.endLostParts();

      assertThat(claimed).hasSize(1);
      assertThat(attempts)
          .as("the second time row by row")
          .containsEntry("end parts of orders whose workers are gone", 2);
      two[0].succeed(claimed.get(0));
      claiming.runBatches();
      List<LedgerEntry> ledger = stores.ledger().readAfter(Long.MIN_VALUE, 10);
      assertThat(ledger)
          .extracting(LedgerEntry::status)
          .containsOnly(LedgerStatus.SUCCEEDED)
          .hasSize(3);
    }
  }
}
