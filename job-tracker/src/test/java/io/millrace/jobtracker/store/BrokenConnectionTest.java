package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;

class BrokenConnectionTest {
  private TestDatabase database;
  private Stores stores;

  private void open(TestDatabase.Kind kind) {
    database = kind.open();
    stores = database.stores();
    stores.nodeGroups().ensure("orders", 10);
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  private void insert(String taskId) {
    stores.waiting().insert("orders", List.of(oneShot(taskId)));
  }

  @ParameterizedTest
  @EveryDatabase
  void failsTheTransactionThatLosesItAndIsReplaced(TestDatabase.Kind kind) {
    open(kind);

    assertThatThrownBy(
            () ->
                stores
                    .transactions()
                    .run(
                        "insert twice",
                        () -> {
                          insert("a");
                          database.breakConnections();
                          insert("b");
                        }))
        .isInstanceOf(StoreException.class)
        .isNotInstanceOf(UnknownOutcomeException.class)
        .hasMessageContaining("orders");

    await().ignoreExceptions().until(() -> stores.nodeGroups().all().size() == 1);
    assertThat(database.count("jt_waiting_orders")).isZero();
  }

  @ParameterizedTest
  @EveryDatabase
  void leavesTheOutcomeOfACommitUnknownUnlessItWasNotTried(TestDatabase.Kind kind) {
    open(kind);

    Throwable failure =
        catchThrowable(
            () ->
                stores
                    .transactions()
                    .run(
                        "insert and lose the connection",
                        () -> {
                          insert("a");
                          database.breakConnections();
                        }));

    assertThat(failure).hasMessageContaining("insert and lose the connection");
    if (kind == TestDatabase.Kind.H2) {
      // Before the commit it asks whether what was read is in the file, and learns of it there.
      assertThat(failure)
          .isInstanceOf(StoreUnavailableException.class)
          .isNotInstanceOf(UnknownOutcomeException.class);
      await().ignoreExceptions().until(() -> stores.nodeGroups().all().size() == 1);
      assertThat(database.count("jt_waiting_orders")).isZero();
    } else {
      assertThat(failure).isInstanceOf(UnknownOutcomeException.class);
    }
  }
}
