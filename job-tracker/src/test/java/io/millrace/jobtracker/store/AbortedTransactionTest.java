package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.ServerGate.Command;
import io.millrace.jobtracker.store.ServerGate.Refusal;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A cluster aborts a transaction that stands idle, and says so in answer to whatever comes next:
 * also to the mere preparation of a statement.
 */
@Tag("database")
class AbortedTransactionTest {
  private static final String GROUP = "orders";

  /** The gate reads what passes. */
  private static final String LEGIBLE = "&sslMode=DISABLED";

  private TestDatabase database;
  private ServerGate gate;
  private JdbcStores over;
  private Stores stores;

  @BeforeEach
  void openDatabaseBehindTheGate() throws IOException {
    database = TestDatabase.onServer();
    database.stores().nodeGroups().ensure(GROUP, 10);
    String url = database.config().url();
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    gate = new ServerGate(port);
    over =
        JdbcStores.open(
            new StoreConfig(
                url.replace(":" + port + "/", ":" + gate.port() + "/") + LEGIBLE,
                database.config().username(),
                database.config().password(),
                2,
                StoreConfig.DEFAULT_CONNECTION_TIMEOUT));
    stores = over.stores();
  }

  @AfterEach
  void closeAll() {
    over.close();
    gate.close();
    database.close();
  }

  private void insert(String taskId) {
    stores.waiting().insert(GROUP, List.of(oneShot(taskId)));
  }

  /** The second statement is one that the connection has not prepared yet. */
  private int runsOfWorkThatIsRefused(Refusal refusal) {
    AtomicInteger runs = new AtomicInteger();
    stores
        .transactions()
        .run(
            "insert and read",
            () -> {
              insert("a" + runs.incrementAndGet());
              if (runs.get() == 1) {
                gate.refuseNext(refusal);
              }
              assertThat(stores.waiting().findByTask(GROUP, "a" + runs.get())).hasSize(1);
            });
    assertThat(gate.hasRefused()).isTrue();
    return runs.get();
  }

  @ParameterizedTest
  @CsvSource({"1213,40001,Deadlock found", "1020,HY000,Record has changed"})
  void runsAgainFromItsBeginning(int code, String state, String message) {
    assertThat(runsOfWorkThatIsRefused(new Refusal(Command.PREPARE, "", code, state, message)))
        .isEqualTo(2);

    assertThat(database.query("SELECT task_id FROM jt_waiting_orders")).containsExactly("a2");
  }

  /** What it had written would otherwise be gone, and the rest be committed without it. */
  @Test
  void isNotContinuedByWorkThatOverlooksIt() {
    AtomicInteger runs = new AtomicInteger();

    stores
        .transactions()
        .run(
            "insert and overlook",
            () -> {
              insert("a" + runs.incrementAndGet());
              if (runs.get() == 1) {
                gate.refuseNext(new Refusal(Command.PREPARE, "", 1213, "40001", "Deadlock found"));
                overlooking(() -> stores.waiting().findByTask(GROUP, "a1"));
                overlooking(() -> insert("b"));
              }
            });

    assertThat(database.query("SELECT task_id FROM jt_waiting_orders")).containsExactly("a2");
  }

  private static void overlooking(Runnable statement) {
    try {
      statement.run();
    } catch (RuntimeException overlooked) {
      assertThat(overlooked).hasMessageContaining("Deadlock");
    }
  }

  @Test
  void serverThatKeepsNoMorePreparedStatementsIsSentText() {
    assertThat(
            runsOfWorkThatIsRefused(
                new Refusal(Command.PREPARE, "", 1461, "42000", "Can't create more statements")))
        .isEqualTo(2);
    assertThat(database.query("SELECT task_id FROM jt_waiting_orders")).containsExactly("a2");

    gate.refuseNext(
        new Refusal(Command.PREPARE, "", 1461, "42000", "Can't create more statements"));
    insert("c");
    assertThat(stores.waiting().findByTask(GROUP, "c")).hasSize(1);
    assertThat(gate.hasRefused()).as("nothing was prepared").isFalse();
  }
}
