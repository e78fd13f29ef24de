package io.millrace.jobtracker.store.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2FileTest {
  @TempDir Path directory;

  /** One connection, which is broken for one transaction only. */
  private StoreConfig config() {
    String url = "jdbc:h2:file:" + directory.resolve("db").toAbsolutePath();
    return new StoreConfig(url, "", "", 1, StoreConfig.DEFAULT_CONNECTION_TIMEOUT);
  }

  @Test
  void everyConnectionHasTheFileKeepItsLastCommits() throws SQLException {
    try (JdbcStores live = JdbcStores.open(config())) {
      assertThat(live.health().trouble()).isEmpty();
      // By a connection that asks for nothing.
      try (Connection plain = DriverManager.getConnection(config().effectiveUrl(), "", "")) {
        assertThat(store(plain).getVersionsToKeep()).isEqualTo(H2File.COMMITS_KEPT);
      }
    }
  }

  @Test
  void databaseThatWasOpenedAgainDoesSo() throws SQLException {
    try (JdbcStores live = JdbcStores.open(config())) {
      try (Connection connection = StoreConnections.ofStores(config()).getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("SHUTDOWN");
      }
      assertThatThrownBy(() -> live.stores().time().databaseNow())
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(live.stores().time().databaseNow()).isPositive();

      try (Connection plain = DriverManager.getConnection(config().effectiveUrl(), "", "")) {
        assertThat(store(plain).getVersionsToKeep()).isEqualTo(H2File.COMMITS_KEPT);
      }
    }
  }

  @Test
  void fileThatIsWrittenByAThreadOfH2IsLeftToIt() throws SQLException {
    StoreConfig late = StoreConfig.of(config().url() + ";WRITE_DELAY=500");
    try (Connection connection = StoreConnections.ofStores(late).getConnection()) {
      assertThat(H2File.of(connection)).isEmpty();
    }
  }

  private static MVStore store(Connection connection) throws SQLException {
    SessionLocal session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
    return session.getDatabase().getStore().getMvStore();
  }
}
