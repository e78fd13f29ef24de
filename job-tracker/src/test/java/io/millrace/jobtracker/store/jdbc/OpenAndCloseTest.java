package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands open the database for a moment and close it. H2 would use that moment to move what lies
 * scattered in the file, which has lost nearly all of it.
 */
class OpenAndCloseTest {
  private static final int ROWS = 400;

  /** A start and a close write less, often enough; to move what lies scattered takes more. */
  private static final int WRITES = 36;

  @TempDir Path directory;

  private final NotedDisk disk = NotedDisk.mount();

  private StoreConfig config() {
    return StoreConfig.of(disk.url(directory.resolve("db")));
  }

  /** What a command does with the database. */
  private record Command(String name, Consumer<StoreConfig> run) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Command> commands() {
    return Stream.of(
        new Command("db migrate", config -> assertThat(new JdbcSchema(config).migrate()).isEmpty()),
        new Command(
            "db validate",
            config -> assertThat(new JdbcSchema(config).inspect().differences()).isEmpty()),
        new Command(
            "db print-sql",
            config -> assertThat(new JdbcSchema(config).pendingSql()).contains("up to date")),
        new Command("token", config -> JdbcStores.open(config).close()),
        new Command("a start that fails", OpenAndCloseTest::failToStart));
  }

  @BeforeEach
  void scatterRows() throws SQLException {
    StoreConfig unmoved = StoreConfig.of(config().url() + ";MAX_COMPACT_TIME=0");
    try (JdbcStores stores = JdbcStores.open(unmoved);
        Connection connection = StoreConnections.ofStores(unmoved).getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(stores.compaction().isNeeded()).isTrue();
      statement.execute("CREATE TABLE scattered (id INT PRIMARY KEY, text VARCHAR)");
      for (int i = 0; i < ROWS; i++) {
        statement.execute("INSERT INTO scattered VALUES (" + i * 7919 % 1009 + ", SPACE(1000))");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void leavesWhatIsInTheFileWhereItIs(Command command) throws SQLException {
    disk.writes.clear();

    command.run().accept(config());

    assertThat(disk.writes).hasSizeLessThan(WRITES);
    assertThat(count()).isEqualTo(ROWS);
  }

  @Test
  void moreThanAsManyWritesIsWhatMovingTakes() throws SQLException {
    disk.writes.clear();

    StoreConfig moving = StoreConfig.of(config().url() + ";MAX_COMPACT_TIME=2000");
    try (Connection connection = StoreConnections.ofStores(moving).getConnection()) {
      assertThat(connection.isValid(1)).isTrue();
    }

    assertThat(disk.writes).hasSizeGreaterThan(WRITES);
  }

  private static void failToStart(StoreConfig config) {
    try (Connection connection = StoreConnections.ofStores(config).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE \"jt_schema_history\" SET \"checksum\" = 1 WHERE \"version\" = '001'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    assertThatThrownBy(() -> JdbcStores.open(config)).isInstanceOf(StoreException.class);
  }

  private long count() throws SQLException {
    try (Connection connection = StoreConnections.ofStores(config()).getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT COUNT(*) FROM scattered WHERE LENGTH(text) = 1000")) {
      row.next();
      return row.getLong(1);
    }
  }
}
