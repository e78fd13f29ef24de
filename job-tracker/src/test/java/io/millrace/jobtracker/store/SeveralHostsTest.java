package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.jobtracker.store.ServerGate.Command;
import io.millrace.jobtracker.store.ServerGate.Refusal;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A URL that names two hosts: two gates before one server, either of which may be shut. */
@Tag("database")
class SeveralHostsTest {
  private static final String GROUP = "orders";

  /** The gates read what passes. */
  private static final String LEGIBLE = "&sslMode=DISABLED";

  private static final int POOL_SIZE = 2;

  private TestDatabase database;
  private ServerGate first;
  private ServerGate second;
  private JdbcStores over;
  private Stores stores;

  @BeforeEach
  void putGatesBeforeTheDatabase() throws IOException {
    database = TestDatabase.onServer();
    database.stores().nodeGroups().ensure(GROUP, 10);
    first = new ServerGate(serverPort());
    second = new ServerGate(serverPort());
  }

  @AfterEach
  void closeAll() {
    if (over != null) {
      over.close();
    }
    first.close();
    second.close();
    database.close();
  }

  private int serverPort() {
    return URI.create(database.config().url().substring("jdbc:".length())).getPort();
  }

  private void open(String setting) {
    String url =
        database
                .config()
                .url()
                .replace(
                    ":" + serverPort() + "/",
                    ":" + first.port() + ",127.0.0.1:" + second.port() + "/")
            + LEGIBLE
            + setting;
    over =
        JdbcStores.open(
            new StoreConfig(
                url,
                database.config().username(),
                database.config().password(),
                POOL_SIZE,
                StoreConfig.DEFAULT_CONNECTION_TIMEOUT));
    stores = over.stores();
  }

  private void insert(String taskId) {
    stores.waiting().insert(GROUP, List.of(oneShot(taskId)));
  }

  private List<String> inserted() {
    return database.query("SELECT task_id FROM jt_waiting_orders ORDER BY task_id");
  }

  @Test
  void startsAndWritesWithoutTheFirst() {
    first.shut();

    open("");
    insert("a");

    assertThat(inserted()).containsExactly("a");
  }

  @Test
  void writesOverTheSecondWhenTheFirstHasDied() {
    open("");
    insert("a");

    first.shut();
    for (int connection = 1; connection <= POOL_SIZE; connection++) {
      loseAConnection();
    }

    insert("b");
    assertThat(inserted()).containsExactly("a", "b");
    assertThat(second.connections()).isPositive();
  }

  /** Each connection that had led to the first fails once, and no more. */
  private void loseAConnection() {
    try {
      insert("lost");
      stores.waiting().delete(GROUP, ids("lost"));
    } catch (StoreUnavailableException lost) {
      assertThat(stores.waiting()).isNotNull();
    }
  }

  private List<Long> ids(String taskId) {
    return stores.waiting().findByTask(GROUP, taskId).stream().map(row -> row.id()).toList();
  }

  @Test
  void comesBackToTheFirst() throws IOException {
    first.shut();
    open("");
    insert("a");
    first.open();
    second.shut();

    await().ignoreExceptionsInstanceOf(StoreException.class).until(() -> ids("a").size() == 1);
    insert("b");

    assertThat(inserted()).containsExactly("a", "b");
  }

  /** The driver has moved the connection to the second host by then, in a new transaction. */
  @Test
  void transactionThatLosesItsHostIsNotContinuedOnTheOther() {
    open("");

    assertThatThrownBy(
            () ->
                stores
                    .transactions()
                    .run(
                        "insert three",
                        () -> {
                          insert("a");
                          first.shut();
                          assertThatThrownBy(() -> insert("b"))
                              .isInstanceOf(StoreUnavailableException.class);
                          insert("c");
                        }))
        .isInstanceOf(StoreException.class);

    assertThat(inserted()).isEmpty();
  }

  /** A node that has lost its cluster answers the driver's own questions, and nothing else. */
  @Test
  void hostThatLetsInButCannotBeUsedIsPassedOver() {
    first.refuseNext(
        new Refusal(Command.QUERY, "DO 1", 1047, "08S01", "WSREP has not yet prepared node"));

    open("");
    insert("a");

    assertThat(first.hasRefused()).isTrue();
    assertThat(second.connections()).isPositive();
    assertThat(inserted()).containsExactly("a");
  }

  /** Where the URL wants it so. */
  @Test
  void connectionThatTheDriverMadeReadOnlyIsLeft() throws IOException {
    open("&failOverReadOnly=true");
    first.shut();

    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> insert("a"))
                    .asInstanceOf(InstanceOfAssertFactories.type(StoreUnavailableException.class))
                    .matches(StoreUnavailableException::refusesWrites));

    first.open();
    await()
        .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
        .until(
            () -> {
              insert("b");
              return true;
            });
    assertThat(inserted()).containsExactly("b");
  }
}
