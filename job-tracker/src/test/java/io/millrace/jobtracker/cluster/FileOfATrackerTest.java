package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tracker over an embedded database keeps the file small while it runs. */
class FileOfATrackerTest {
  private static final int COMMITS = 600;
  private static final int DUE = 60;

  @TempDir Path directory;

  @Test
  @Timeout(60)
  void trackerRewritesWhatLivesScattered() throws SQLException {
    String url = "jdbc:h2:file:" + directory.resolve("db").toAbsolutePath() + ";RETENTION_TIME=0";
    try (Connection connection =
        DriverManager.getConnection(url + ";WRITE_DELAY=0;MAX_COMPACT_TIME=0", "sa", "")) {
      scatter(connection);
      assertThat(fillOfOldChunks(connection)).isLessThan(DUE);

      try (JobTracker tracker =
          JobTracker.create(JobTrackerConfig.local(0, StoreConfig.of(url, "sa", "")))) {
        tracker.start();
        while (fillOfOldChunks(connection) < DUE) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private static void scatter(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, text VARCHAR)");
      statement.execute("CREATE TABLE changing (text VARCHAR)");
      statement.execute("INSERT INTO changing VALUES ('')");
      connection.setAutoCommit(false);
      for (int i = 0; i < COMMITS; i++) {
        statement.execute("INSERT INTO kept VALUES (" + i + ", SPACE(1500))");
        statement.execute("UPDATE changing SET text = SPACE(" + 37 * i + ")");
        connection.commit();
      }
      connection.setAutoCommit(true);
    }
  }

  private static int fillOfOldChunks(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT setting_value FROM information_schema.settings"
                    + " WHERE setting_name = 'info.CHUNKS_FILL_RATE_RW'")) {
      row.next();
      return row.getInt(1);
    }
  }
}
