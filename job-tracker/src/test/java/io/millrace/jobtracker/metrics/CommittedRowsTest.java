package io.millrace.jobtracker.metrics;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only what has committed counts, and counts once. */
class CommittedRowsTest extends ServiceTest {
  private final List<String> counted = new ArrayList<>();
  private FaultyTransactions transactions;
  private Stores watched;

  @BeforeEach
  void watchStores() {
    transactions = new FaultyTransactions(stores.transactions());
    watched =
        new CommittedRows(
                new CommittedRows.Counting() {
                  @Override
                  public void planned(String nodeGroup, long triggers) {
                    counted.add(triggers + " planned for " + nodeGroup);
                  }

                  @Override
                  public void ended(LedgerEntry row) {
                    counted.add(row.key().taskId() + " " + row.status());
                  }
                })
            .around(FaultyTransactions.around(stores, transactions));
  }

  @Test
  void rowsCountOnceTheirTransactionHasCommitted() {
    watched
        .transactions()
        .run(
            "write",
            () -> {
              insert(1, 2);
              assertThat(counted).as("not yet committed").isEmpty();
            });

    assertThat(counted).containsExactly("2 planned for " + GROUP);
  }

  @Test
  void rowsOfATransactionThatIsRolledBackDoNotCount() {
    assertThatThrownBy(
            () ->
                watched
                    .transactions()
                    .run(
                        "write",
                        () -> {
                          insert(1);
                          throw new IllegalStateException("changed its mind");
                        }))
        .hasMessage("changed its mind");
    assertThat(counted).isEmpty();

    insert(2);
    assertThat(counted)
        .as("what comes after counts by itself")
        .containsExactly("1 planned for " + GROUP);
  }

  @Test
  void statementOutsideATransactionCountsAtOnceUnlessItFails() {
    insert(1);
    assertThatThrownBy(() -> insert(1)).isInstanceOf(DuplicateKeyException.class);

    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  @Test
  void commitThatIsFoundToHaveTakenEffectCountsOnce() {
    transactions.failNext(Fault.COMMITTED_IN_SILENCE);
    writeAndLook();

    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  @Test
  void workThatIsDoneAgainAfterALostCommitCountsOnce() {
    transactions.failNext(Fault.ROLLED_BACK_IN_SILENCE);
    writeAndLook();

    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  @Test
  void commitThatStaysUnknownDoesNotCount() {
    transactions.failNext(Fault.COMMITTED_OUT_OF_REACH);

    assertThatThrownBy(this::writeAndLook).isInstanceOf(UnknownOutcomeException.class);
    assertThat(counted).isEmpty();
  }

  /** As a submit does that finds, after it has inserted, that the task id lives elsewhere. */
  @Test
  void rowsThatAreTakenBackInTheSameTransactionDoNotCount() {
    watched
        .transactions()
        .run(
            "write",
            () -> {
              insert(1, 2);
              assertThat(watched.waiting().delete(GROUP, List.of(2L))).isEqualTo(1);
            });

    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  private void writeAndLook() {
    Integer unused =
        watched
            .transactions()
            .inTransaction(
                "write",
                () -> {
                  insert(1);
                  return 1;
                },
                done -> stores.waiting().lock(GROUP, 1));
  }

  private void insert(long... ids) {
    List<WaitingTrigger> rows = new ArrayList<>();
    for (long id : ids) {
      rows.add(SampleTriggers.oneShot(id, 100, time.millis()));
    }
    watched.waiting().insert(GROUP, rows);
  }
}
