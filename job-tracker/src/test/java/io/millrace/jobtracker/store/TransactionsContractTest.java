package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TransactionsContractTest extends StoreContract {

  private int waiting() {
    return stores.waiting().findOneShots(nodeGroup, List.of("a")).size();
  }

  @Test
  void commitsWhatTheWorkDidAndReturnsItsResult() {
    String result =
        stores
            .transactions()
            .inTransaction(
                "insert",
                () -> {
                  stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
                  return "done";
                });

    assertThat(result).isEqualTo("done");
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void anyExceptionRollsBackAndComesOutAsItIs() {
    AssertionError thrown = new AssertionError("on purpose");

    assertThatThrownBy(
            () ->
                stores
                    .transactions()
                    .run(
                        "insert and fail",
                        () -> {
                          stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
                          throw thrown;
                        }))
        .isSameAs(thrown);
    assertThat(waiting()).isZero();
  }

  @Test
  void duplicateKeyLeavesTheTransactionToTheCaller() {
    stores
        .transactions()
        .run(
            "insert twice",
            () -> {
              stores.waiting().insert(nodeGroup, List.of(oneShot("a")));
              assertThatThrownBy(() -> stores.waiting().insert(nodeGroup, List.of(oneShot("a"))))
                  .isInstanceOf(DuplicateKeyException.class);
            });

    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void oneInsideAnotherIsRefusedByName() {
    assertThatThrownBy(
            () ->
                stores
                    .transactions()
                    .run("outer", () -> stores.transactions().run("inner", () -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inner");

    stores.transactions().run("afterwards", () -> {});
  }

  @Test
  void seesWhatOthersCommittedMeanwhileAndNothingElse() {
    Stores other = database.anotherTracker();
    stores
        .transactions()
        .run(
            "read again",
            () -> {
              assertThat(waiting()).isZero();
              insertByAnotherThread(other);
              assertThat(waiting()).isEqualTo(1);
            });
  }

  private void insertByAnotherThread(Stores other) {
    try (Racer racer = new Racer()) {
      Racer.resultOf(
          racer.start(
              () -> {
                other
                    .transactions()
                    .run(
                        "insert",
                        () -> {
                          other.waiting().insert(nodeGroup, List.of(oneShot("a")));
                          assertThat(waitingSeenBy(racer)).isZero();
                        });
                return true;
              }));
    }
  }

  private int waitingSeenBy(Racer racer) {
    return Racer.resultOf(racer.start(this::waiting));
  }

  @Test
  void deadlockedTransactionRunsAgainAndBothCommit() {
    stores.executing().insert(List.of(executing(nodeGroup, "one"), executing(nodeGroup, "two")));
    AtomicInteger attempts = new AtomicInteger();
    CountDownLatch bothHoldOne = new CountDownLatch(2);

    try (Racer racer = new Racer()) {
      racer.together(
          List.of(
              stoppingInOrder("one", "two", attempts, bothHoldOne),
              stoppingInOrder("two", "one", attempts, bothHoldOne)));
    }

    assertThat(attempts).hasValueGreaterThan(2);
    assertThat(stores.executing().findByGroup(nodeGroup, 0, 10))
        .hasSize(2)
        .allMatch(execution -> execution.stopRequested());
  }

  private Callable<Boolean> stoppingInOrder(
      String first, String second, AtomicInteger attempts, CountDownLatch bothHoldOne) {
    return () -> {
      stores
          .transactions()
          .run(
              "stop " + first + " and " + second,
              () -> {
                attempts.incrementAndGet();
                stores.executing().requestStop(nodeGroup, first);
                bothHoldOne.countDown();
                Racer.waitFor(bothHoldOne);
                stores.executing().requestStop(nodeGroup, second);
              });
      return true;
    };
  }
}
