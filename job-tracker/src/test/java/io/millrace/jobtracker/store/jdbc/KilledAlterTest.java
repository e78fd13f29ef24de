package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.jdbc.NotedDisk.Write;
import io.millrace.jobtracker.store.jdbc.connect.RetryPause;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import io.millrace.jobtracker.store.jdbc.schema.Migrations;
import io.millrace.jobtracker.store.jdbc.schema.TableShape;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 commits several times within one ALTER TABLE; a process may be killed between any two. */
class KilledAlterTest {
  private static final String COPIES =
      "SELECT COUNT(*) FROM information_schema.tables WHERE table_name LIKE '%\\_COPY\\_%'";
  private static final String OTHERS =
      "SELECT COUNT(*) FROM information_schema.tables"
          + " WHERE table_name IN ('JT_JOB', 'JT_EXECUTING', 'JT_HISTORY', 'JT_NODE_GROUP')";

  private final NotedDisk disk = NotedDisk.mount();
  private final FileImage image = new FileImage();
  private final List<String> failures = new ArrayList<>();
  private Map<String, TableShape> whole = Map.of();
  private int besideTheTable;
  private int insteadOfTheTable;

  @TempDir Path directory;

  @Test
  void killedInTheMiddleOfAnAlterTheNextStartGoesOn() throws Exception {
    killAndStart(4);
  }

  @Test
  @Tag("long")
  void killedAtAnyWriteOfAnAlterTheNextStartGoesOn() throws Exception {
    killAndStart(1);
  }

  /**
   * @param step of how many writes one is the last before a kill
   */
  private void killAndStart(int step) throws Exception {
    whole = migrated(StoreConfig.of(disk.url(directory.resolve("db"))));
    int writes = 0;

    for (Write write : List.copyOf(disk.writes)) {
      byte[] bytes = write.bytes();
      if (bytes == null) {
        image.cut((int) write.position());
      } else {
        image.write(write.position(), bytes, bytes.length);
        if (writes++ % step == 0) {
          startAgain();
        }
      }
    }

    assertThat(failures).isEmpty();
    assertThat(besideTheTable).isPositive();
    assertThat(insteadOfTheTable).isPositive();
  }

  /** Only where a copy is there: what lies between statements is tried on every database. */
  private void startAgain() throws Exception {
    String file = "memFS:/alter";
    image.store(file + ".mv.db");
    try {
      if (hasCopy(file)) {
        assertWhole(file);
      }
    } finally {
      FilePath.get(file + ".mv.db").delete();
    }
  }

  private boolean hasCopy(String file) {
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:" + file + ";IFEXISTS=TRUE;ACCESS_MODE_DATA=r");
        Statement statement = connection.createStatement()) {
      if (count(statement, COPIES) == 0) {
        return false;
      }
      if (count(statement, OTHERS) == 4) {
        besideTheTable++;
      } else {
        insteadOfTheTable++;
      }
      return true;
    } catch (SQLException beforeTheFirstCommit) {
      return false;
    }
  }

  private static int count(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getInt(1);
    }
  }

  private void assertWhole(String file) throws SQLException {
    try {
      if (!migrated(StoreConfig.of("jdbc:h2:" + file)).equals(whole)) {
        failures.add("the tables differ");
      }
    } catch (RuntimeException e) {
      failures.add(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, TableShape> migrated(StoreConfig config) throws SQLException {
    StoreConnections source = StoreConnections.ofMigrations(config);
    try (Connection keptOpen = source.getConnection()) {
      Migrations.run(source, config.dialect(), RetryPause.sleeping());
      return TableShape.read(keptOpen);
    }
  }
}
