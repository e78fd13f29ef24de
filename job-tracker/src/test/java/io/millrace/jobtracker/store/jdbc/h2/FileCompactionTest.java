package io.millrace.jobtracker.store.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import io.millrace.jobtracker.store.jdbc.sql.MySqlDialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file in which little changes lies scattered over chunks of which nothing else lives. */
class FileCompactionTest {
  private static final int COMMITS = 2_000;
  private static final int COMMITS_BETWEEN_RUNS = 100;
  private static final long MIB = 1 << 20;

  /**
   * 3 MiB of kept rows in chunks of which 60 % lives are 5 MiB; the commits between two runs and
   * those that H2 keeps are 3 MiB more. How much of it is free at the end depends on the moments of
   * the commits. A quarter of the runs leaves 13 MiB.
   */
  private static final long WITH_AT_MOST = 12 * MIB;

  @TempDir Path directory;

  @Test
  void fileOfALongLifeStaysNearWhatLivesInIt() throws Exception {
    long without = sizeAfterALongLife("without", 0);
    long with = sizeAfterALongLife("with", COMMITS_BETWEEN_RUNS);

    assertThat(without).isGreaterThan(16 * MIB);
    assertThat(with).isLessThan(WITH_AT_MOST);
  }

  @Test
  void compactionEndsWhenNothingIsLeftToRewrite() throws Exception {
    StoreConfig config = config("ends");
    try (Connection connection = StoreConnections.ofStores(config).getConnection()) {
      live(connection, config, 0);
      FileCompaction compaction =
          new FileCompaction(StoreConnections.ofStores(config), config.dialect());
      int portions = 0;
      int runs = 0;
      for (int rewritten = -1; rewritten != 0; runs++) {
        rewritten = compaction.runOnce();
        portions += rewritten;
        assertThat(runs).isLessThan(1_000);
      }

      assertThat(portions).isPositive();
      assertThat(compaction.runOnce()).isZero();
    }
  }

  @Test
  void databaseInMemoryHasNothingToCompact() {
    StoreConfig config = StoreConfig.of("jdbc:h2:mem:");

    assertThat(new FileCompaction(StoreConnections.ofStores(config), config.dialect()).runOnce())
        .isZero();
  }

  @Test
  void onlyFilesOfThisProcessAreLookedAfter() {
    assertThat(
            new FileCompaction(StoreConnections.ofStores(config("any")), new H2Dialect())
                .isNeeded())
        .isTrue();
    assertThat(
            new FileCompaction(StoreConnections.ofStores(config("any")), new MySqlDialect())
                .isNeeded())
        .isFalse();
  }

  private long sizeAfterALongLife(String name, int between) throws SQLException, IOException {
    StoreConfig config = config(name);
    try (Connection connection = StoreConnections.ofStores(config).getConnection()) {
      live(connection, config, between);
      return Files.size(directory.resolve(name + ".mv.db"));
    }
  }

  /** One row that changes with every commit, and rows that are written once and kept. */
  private static void live(Connection connection, StoreConfig config, int between)
      throws SQLException {
    FileCompaction compaction =
        new FileCompaction(StoreConnections.ofStores(config), config.dialect());
    Random random = new Random(1);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (id BIGINT PRIMARY KEY, text VARCHAR)");
      statement.execute("CREATE TABLE changing (id INT PRIMARY KEY, text VARCHAR)");
      statement.execute("INSERT INTO changing VALUES (1, '')");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO kept VALUES (?, ?)");
        PreparedStatement update = connection.prepareStatement("UPDATE changing SET text = ?")) {
      for (int commit = 1; commit <= COMMITS; commit++) {
        insert.setLong(1, commit);
        insert.setString(2, "x".repeat(1_500));
        insert.executeUpdate();
        update.setString(1, "y".repeat(random.nextInt(40_000)));
        update.executeUpdate();
        connection.commit();
        if (between > 0 && commit % between == 0) {
          int unused = compaction.runOnce();
        }
      }
    }
  }

  private StoreConfig config(String name) {
    return StoreConfig.of(
        "jdbc:h2:file:" + directory.resolve(name).toAbsolutePath() + ";RETENTION_TIME=0");
  }
}
