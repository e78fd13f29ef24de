package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.jdbc.NotedDisk.Write;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import io.millrace.jobtracker.store.jdbc.h2.FileCompaction;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kill -9 leaves the file as it is after some write, or after some of the pages of one. Every
 * such file of a database that is opened, written, compacted and closed again and again is opened
 * here, and must have every commit that had been acknowledged. Space is used again as early as it
 * may be, rather than after 45 s.
 *
 * <p>{@code -Dmillrace.kill.seeds=100} tries as many sequences of commits.
 */
class KillAtAnyWriteTest {
  private static final int SEEDS = Integer.getInteger("millrace.kill.seeds", 1);
  private static final int SESSIONS = 4;
  private static final int COMMITS = 80;
  private static final int PAGE = 4096;

  /** What the table holds after so many commits. */
  private final List<Map<Long, String>> states = new ArrayList<>();

  private final NotedDisk disk = NotedDisk.mount();
  private final List<String> losses = new ArrayList<>();
  private int copies;

  @TempDir Path directory;

  @Test
  void noWriteIsTheWrongMomentForAKill() throws Exception {
    for (int seed = 1; seed <= SEEDS; seed++) {
      states.clear();
      disk.acknowledged = 0;
      run(
          new Random(seed),
          StoreConfig.of(disk.url(directory.resolve("db" + seed)) + ";RETENTION_TIME=0"));
      killAtEveryWrite(new Random(seed), List.copyOf(disk.writes));
      disk.writes.clear();
    }

    assertThat(losses).isEmpty();
    assertThat(copies).isGreaterThan(SEEDS * SESSIONS * COMMITS);
  }

  private void run(Random random, StoreConfig config) throws SQLException {
    Map<Long, String> rows = new TreeMap<>();
    for (int session = 0; session < SESSIONS; session++) {
      try (Connection connection = StoreConnections.ofStores(config).getConnection();
          Statement statement = connection.createStatement()) {
        if (session == 0) {
          statement.execute("CREATE TABLE t (id BIGINT PRIMARY KEY, text VARCHAR)");
          statement.execute("CREATE INDEX t_text ON t (text)");
          statement.execute("CREATE TABLE counted (n INT)");
          statement.execute("INSERT INTO counted VALUES (0)");
          states.add(Map.of());
          disk.writes.add(new Write(-1, null, 0));
        }
        connection.setAutoCommit(false);
        for (int i = 0; i < COMMITS; i++) {
          change(connection, random, rows);
          statement.executeUpdate("UPDATE counted SET n = n + 1");
          states.add(new TreeMap<>(rows));
          connection.commit();
          disk.acknowledged++;
          if (random.nextInt(8) == 0) {
            int unused =
                new FileCompaction(StoreConnections.ofStores(config), config.dialect()).runOnce();
          }
        }
        if (random.nextBoolean()) {
          statement.execute("SHUTDOWN IMMEDIATELY");
        }
      }
    }
  }

  private static void change(Connection connection, Random random, Map<Long, String> rows)
      throws SQLException {
    try (PreparedStatement put = connection.prepareStatement("MERGE INTO t VALUES (?, ?)");
        PreparedStatement remove = connection.prepareStatement("DELETE FROM t WHERE id = ?")) {
      for (int i = random.nextInt(8); i > 0; i--) {
        long id = random.nextInt(400);
        if (random.nextInt(3) == 0) {
          rows.remove(id);
          remove.setLong(1, id);
          remove.execute();
        } else {
          String text =
              random.nextInt(97) + "x".repeat(random.nextInt(random.nextInt(15) == 0 ? 9000 : 200));
          rows.put(id, text);
          put.setLong(1, id);
          put.setString(2, text);
          put.execute();
        }
      }
    }
  }

  /** The tables are there from the write on that notes nothing. */
  private void killAtEveryWrite(Random random, List<Write> writes) throws Exception {
    FileImage image = new FileImage();
    boolean tablesAreThere = false;
    for (Write write : writes) {
      byte[] bytes = write.bytes();
      if (write.position() < 0) {
        tablesAreThere = true;
      } else if (bytes == null) {
        image.cut((int) write.position());
      } else {
        if (tablesAreThere && bytes.length > PAGE) {
          FileImage torn = new FileImage(image);
          torn.write(
              write.position(), bytes, PAGE * (1 + random.nextInt((bytes.length - 1) / PAGE)));
          look(torn, write.acknowledged());
        }
        image.write(write.position(), bytes, bytes.length);
      }
      if (tablesAreThere) {
        look(image, write.acknowledged());
      }
    }
  }

  private void look(FileImage image, int acknowledged) throws IOException {
    String name = "memFS:/kill-" + copies++;
    image.store(name + ".mv.db");
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:" + name + ";IFEXISTS=TRUE;ACCESS_MODE_DATA=r");
        Statement statement = connection.createStatement()) {
      int found;
      try (ResultSet row = statement.executeQuery("SELECT n FROM counted")) {
        row.next();
        found = row.getInt(1);
      }
      if (found < acknowledged || !rows(statement).equals(states.get(found))) {
        losses.add("after commit " + acknowledged + ", found " + found);
      }
    } catch (SQLException e) {
      losses.add("after commit " + acknowledged + ": " + e.getMessage());
    } finally {
      FilePath.get(name + ".mv.db").delete();
    }
  }

  private static Map<Long, String> rows(Statement statement) throws SQLException {
    Map<Long, String> found = new TreeMap<>();
    try (ResultSet rows = statement.executeQuery("SELECT id, text FROM t")) {
      while (rows.next()) {
        found.put(rows.getLong(1), rows.getString(2));
      }
    }
    return found;
  }
}
