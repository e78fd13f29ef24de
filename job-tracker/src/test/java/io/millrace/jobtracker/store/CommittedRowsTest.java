package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.KillingDataSource;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.sql.LostToConcurrencyException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Only what has committed counts, and counts once. */
@Tag("database")
class CommittedRowsTest {
  private static final String GROUP = "orders";

  private static TestDatabase database;
  private static BreakingConnections connections;
  private static Stores stores;

  private final List<String> counted = new ArrayList<>();
  private Runnable stopCounting;

  private enum Fault {
    /** The commit takes effect, and its answer is lost. */
    ANSWER_LOST,
    /** The commit takes no effect. */
    COMMIT_LOST,
    /** As {@link #ANSWER_LOST}, and no connection can be made to look. */
    ANSWER_LOST_AND_STORE_GONE
  }

  /** Connections that break at a commit when a test says so. */
  private static final class BreakingConnections extends DelegatingDataSource {
    private @Nullable Fault next;
    private boolean gone;

    BreakingConnections(DataSource real) {
      super(real);
    }

    @Override
    public Connection getConnection() throws SQLException {
      if (gone) {
        throw new SQLException("no connection", "08001");
      }
      Connection real = super.getConnection();
      return KillingDataSource.proxy(
          Connection.class,
          (self, method, arguments) -> {
            if (method.getName().equals("commit") && next != null) {
              breakAtCommit(real, next);
            }
            return method.invoke(real, arguments);
          });
    }

    private void breakAtCommit(Connection real, Fault fault) throws SQLException {
      next = null;
      gone = fault == Fault.ANSWER_LOST_AND_STORE_GONE;
      if (fault == Fault.COMMIT_LOST) {
        real.rollback();
      } else {
        real.commit();
      }
      throw new SQLException("connection lost", "08006");
    }
  }

  @BeforeAll
  static void openDatabase() {
    database = TestDatabase.ofThisRun();
    StoreConfig config = database.config();
    connections =
        new BreakingConnections(
            new DriverManagerDataSource(
                config.effectiveUrl(), config.username(), config.password()));
    stores = JdbcStores.over(connections, config.dialect()).stores();
    stores.nodeGroups().ensure(GROUP, 10);
  }

  @AfterAll
  static void closeDatabase() {
    database.close();
  }

  @BeforeEach
  void watchStores() {
    connections.gone = false;
    connections.next = null;
    database.execute("DELETE FROM jt_waiting_orders");
    stopCounting =
        stores
            .transactions()
            .listen(
                new CommitListener() {
                  @Override
                  public void planned(String nodeGroup, long triggers) {
                    counted.add(triggers + " planned for " + nodeGroup);
                  }

                  @Override
                  public void ended(LedgerEntry row) {
                    counted.add(row.key().taskId() + " " + row.status());
                  }
                });
  }

  @AfterEach
  void stopCounting() {
    stopCounting.run();
  }

  @Test
  void rowsCountOnceTheirTransactionHasCommitted() {
    stores
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
                stores
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
  void workThatIsDoneAgainAfterItLostToAnotherTransactionCountsOnce() {
    AtomicInteger runs = new AtomicInteger();
    stores
        .transactions()
        .run(
            "write",
            () -> {
              insert(1);
              if (runs.incrementAndGet() == 1) {
                throw new LostToConcurrencyException(
                    "a deadlock", new IllegalStateException(), false);
              }
            });

    assertThat(runs).hasValue(2);
    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  @Test
  void commitThatIsFoundToHaveTakenEffectCountsOnce() {
    connections.next = Fault.ANSWER_LOST;
    writeAndLook();

    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  @Test
  void workThatIsDoneAgainAfterALostCommitCountsOnce() {
    connections.next = Fault.COMMIT_LOST;
    writeAndLook();

    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  @Test
  void commitThatStaysUnknownDoesNotCount() {
    connections.next = Fault.ANSWER_LOST_AND_STORE_GONE;

    assertThatThrownBy(this::writeAndLook).isInstanceOf(UnknownOutcomeException.class);
    assertThat(counted).isEmpty();
  }

  /** As a submit does that finds, after it has inserted, that the task id lives elsewhere. */
  @Test
  void rowsThatAreTakenBackInTheSameTransactionDoNotCount() {
    stores
        .transactions()
        .run(
            "write",
            () -> {
              insert(1, 2);
              assertThat(stores.waiting().delete(GROUP, List.of(2L))).isEqualTo(1);
            });

    assertThat(counted).containsExactly("1 planned for " + GROUP);
  }

  @Test
  void endsCountWithTheTransactionThatAddsThemToTheLedger() {
    stores
        .transactions()
        .run(
            "write",
            () -> {
              stores.ledger().append(List.of(StoreRows.ended(GROUP, "a", LedgerStatus.DEAD)));
              assertThat(counted).as("not yet committed").isEmpty();
            });

    assertThat(counted).containsExactly("a DEAD");
  }

  @Test
  void listenerThatWasRemovedReceivesNothing() {
    stopCounting.run();
    insert(1);

    assertThat(counted).isEmpty();
  }

  private void writeAndLook() {
    Integer unused =
        stores
            .transactions()
            .inTransaction(
                "write",
                () -> {
                  insert(1);
                  return 1;
                },
                done -> stores.waiting().lock(GROUP, 1));
  }

  private static void insert(long... ids) {
    List<WaitingTrigger> rows = new ArrayList<>();
    for (long id : ids) {
      rows.add(SampleTriggers.oneShot(id, 100, 1_000));
    }
    stores.waiting().insert(GROUP, rows);
  }
}
