package io.millrace.jobtracker.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What connections to a server are told. MySQL knows no settings of Galera, and is opened too. */
@Tag("database")
class StoreConnectionsTest {
  private TestDatabase database;

  @BeforeEach
  void openDatabase() {
    database = TestDatabase.onServer();
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  private boolean knows(String setting) {
    return !database.query("SHOW VARIABLES LIKE '" + setting + "'").isEmpty();
  }

  private static Optional<String> setting(StoreConnections connections, String name)
      throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW VARIABLES LIKE '" + name + "'")) {
      return rows.next() ? Optional.of(rows.getString(2)) : Optional.empty();
    }
  }

  @Test
  void nodesCatchUpAndRepeatNothingWhereTheyKnowHow() throws SQLException {
    Optional<String> wanted = knows("wsrep_sync_wait") ? Optional.of("3") : Optional.empty();

    assertThat(setting(StoreConnections.ofStores(database.config()), "wsrep_sync_wait"))
        .isEqualTo(wanted);
    assertThat(setting(StoreConnections.ofMigrations(database.config()), "wsrep_retry_autocommit"))
        .isEqualTo(wanted.map(known -> "0"));
  }

  @Test
  void whatTheUrlSaysOfASettingGoesBefore() throws SQLException {
    if (!knows("wsrep_sync_wait")) {
      assertThat(setting(StoreConnections.ofStores(database.config()), "wsrep_sync_wait"))
          .isEmpty();
      return;
    }
    StoreConfig config = database.config();
    StoreConfig given =
        StoreConfig.of(
            config.url().replace("sessionVariables=", "sessionVariables=wsrep_sync_wait%3D1,"),
            config.username(),
            config.password());

    assertThat(setting(StoreConnections.ofStores(given), "wsrep_sync_wait")).contains("1");
  }

  @Test
  void waitsForLocksAreShortInStoresOnly() throws SQLException {
    StoreConnections stores = StoreConnections.ofStores(database.config());
    StoreConnections migrations = StoreConnections.ofMigrations(database.config());

    assertThat(setting(stores, "innodb_lock_wait_timeout")).contains("10");
    assertThat(setting(migrations, "innodb_lock_wait_timeout")).contains("50");
  }
}
