package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.jdbc.NotedDisk.Write;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * H2 writes its maps to the file one after the other, while other transactions change them. A kill
 * after that must leave each transaction whole: a trigger waits or executes, never both nor
 * neither. Many maps make the moment last long enough for others to fall into it.
 *
 * <p>{@code -Dmillrace.kill.moves=5000} lets each thread move its trigger as often.
 */
class KillAmidTransactionsTest {
  private static final int MOVES = Integer.getInteger("millrace.kill.moves", 25);
  private static final int THREADS = 6;
  private static final int MAPS = 2_000;
  private static final String GROUP = "orders";

  private final NotedDisk disk = NotedDisk.mount();
  private final List<String> torn = new ArrayList<>();
  private int copies;

  @TempDir Path directory;

  @Test
  void everyWriteLeavesWholeTransactions() throws Exception {
    StoreConfig config = StoreConfig.of(disk.url(directory.resolve("db")));
    try (JdbcStores live = JdbcStores.open(config)) {
      Stores stores = live.stores();
      stores.nodeGroups().ensure(GROUP, 1);
      stores.transactions().run("fill", () -> stores.waiting().insert(GROUP, triggers()));
      openMaps(config);
      int begun = disk.writes.size();
      moveFromManyThreads(stores);
      killAfterEveryWrite(List.copyOf(disk.writes), begun);
    }

    assertThat(torn).isEmpty();
    assertThat(copies).isGreaterThan(MOVES);
  }

  private static List<WaitingTrigger> triggers() {
    return LongStream.rangeClosed(1, THREADS)
        .mapToObj(id -> SampleTriggers.oneShot(id, 100, 5_000))
        .toList();
  }

  private static void openMaps(StoreConfig config) throws SQLException {
    try (Connection connection = StoreConnections.ofStores(config).getConnection()) {
      SessionLocal session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
      MVStore store = session.getDatabase().getStore().getMvStore();
      for (int i = 0; i < MAPS; i++) {
        MVMap<Long, Long> unused = store.openMap("beside-" + i);
      }
    }
  }

  private static void moveFromManyThreads(Stores stores) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (WaitingTrigger trigger : triggers()) {
        running.add(threads.submit(() -> move(stores, trigger)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void move(Stores stores, WaitingTrigger trigger) {
    for (int i = 1; i <= MOVES; i++) {
      Execution execution =
          Execution.claim(
              THREADS * i + trigger.id(), GROUP, trigger, SampleTriggers.SPEC, "worker-1", 6_000);
      stores
          .transactions()
          .run(
              "claim",
              () -> {
                int unused = stores.waiting().delete(GROUP, List.of(trigger.id()));
                stores.executing().insert(List.of(execution));
              });
      stores
          .transactions()
          .run(
              "give back",
              () -> {
                int unused = stores.executing().delete(List.of(execution.id()));
                stores.waiting().insert(GROUP, List.of(trigger));
              });
    }
  }

  private void killAfterEveryWrite(List<Write> writes, int from) throws IOException {
    FileImage image = new FileImage();
    for (int i = 0; i < writes.size(); i++) {
      Write write = writes.get(i);
      byte[] bytes = write.bytes();
      if (bytes == null) {
        image.cut((int) write.position());
      } else {
        image.write(write.position(), bytes, bytes.length);
      }
      if (i >= from) {
        look(image);
      }
    }
  }

  private void look(FileImage image) throws IOException {
    String name = "memFS:/amid-" + copies++;
    image.store(name + ".mv.db");
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:" + name + ";IFEXISTS=TRUE;ACCESS_MODE_DATA=r");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT task_id, COUNT(*) FROM (SELECT task_id FROM jt_waiting_orders UNION ALL"
                    + " SELECT task_id FROM jt_executing) GROUP BY task_id ORDER BY task_id")) {
      StringBuilder found = new StringBuilder();
      while (rows.next()) {
        found.append(rows.getString(1)).append(' ').append(rows.getInt(2)).append(' ');
      }
      if (!found.toString().equals(inOnePlaceEach())) {
        torn.add("write " + copies + ": " + found);
      }
    } catch (SQLException e) {
      torn.add("write " + copies + ": " + e.getMessage());
    } finally {
      FilePath.get(name + ".mv.db").delete();
    }
  }

  private static String inOnePlaceEach() {
    StringBuilder each = new StringBuilder();
    triggers().forEach(trigger -> each.append(trigger.key().taskId()).append(" 1 "));
    return each.toString();
  }
}
