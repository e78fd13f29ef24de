package io.millrace.torture.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.MariaDbFiles;
import io.millrace.jobclient.TransactionalJobs;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.torture.database.MariaDb;
import io.millrace.torture.network.FreePort;
import io.millrace.torture.node.Arguments;
import io.millrace.torture.node.ChildJvm;
import io.millrace.torture.node.JvmNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications that are killed between the commit of an order and the hand-over of its job, between
 * the send and the delete, and at other commits, while the tracker is killed as well. Every
 * committed order has exactly one job, and no rolled-back one has.
 *
 * <p>{@code -Drelay.kills=…} says how many.
 */
class RelayKillTest {
  private static final int KILLS = Integer.getInteger("relay.kills", 40);
  private static final int LANES = 4;
  private static final int ORDERS = 8;
  private static final int KILLS_PER_TRACKER = 20;
  private static final int HEAP = 64;
  private static final int TRACKER_HEAP = 192;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir static Path directory;

  private static MariaDb server;

  private final AtomicInteger kills = new AtomicInteger();

  /** How many processes died at each kind of commit. */
  private final Map<DyingSource.Moment, Integer> deaths = new ConcurrentHashMap<>();

  private int port;

  @BeforeAll
  static void startServer() throws IOException {
    server =
        MariaDbFiles.install(
            directory.resolve("data"), () -> MariaDb.install(directory, MariaDbFiles.PROGRAMS));
    server.start();
  }

  @AfterAll
  static void stopServer() {
    server.kill();
  }

  @Test
  @Timeout(120)
  void committedOrdersHaveOneJobOverAFewKills() throws Exception {
    killApplications(8, "few");
  }

  @Test
  @Tag("long")
  @Timeout(600)
  void committedOrdersHaveOneJobOverManyKills() throws Exception {
    killApplications(KILLS, "many");
    System.out.printf("%d kills; at the commit that was meant: %s%n", kills.get(), deaths);
    assertThat(kills.get()).isEqualTo(KILLS);
    assertThat(deaths.keySet()).as("each kind of commit").hasSize(6);
  }

  private void killApplications(int count, String name) throws Exception {
    port = FreePort.find();
    JvmNode tracker = tracker(name);
    tracker.start();
    ExecutorService threads = Executors.newFixedThreadPool(LANES);
    try (TaskTracker worker =
        TaskTracker.builder()
            .trackers("127.0.0.1:" + port)
            .nodeGroup("orders")
            .slots(16)
            .runner(context -> Result.success())
            .build()) {
      worker.start();
      List<Future<?>> lanes = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        Lane each = new Lane(name + "_" + lane + "_", lane, count / LANES);
        lanes.add(threads.submit(() -> each.run()));
      }
      killTracker(tracker, Math.min(count, KILLS_PER_TRACKER), lanes);
      for (Future<?> lane : lanes) {
        lane.get();
      }
    } finally {
      threads.shutdownNow();
      tracker.kill();
    }
  }

  /** Kills it once for so many kills of applications, first at the middle of the first so many. */
  private void killTracker(JvmNode tracker, int each, List<Future<?>> lanes) {
    for (int next = each / 2; ; next += each) {
      int due = next;
      await()
          .atMost(PATIENCE)
          .until(() -> kills.get() >= due || lanes.stream().allMatch(Future::isDone));
      if (lanes.stream().allMatch(Future::isDone)) {
        return;
      }
      tracker.kill();
      tracker.start();
    }
  }

  private JvmNode tracker(String name) throws IOException {
    Path config = directory.resolve(name + ".properties");
    Files.write(
        config,
        List.of(
            "rpc.port = " + port,
            "store.url = " + MariaDb.url(server.port()),
            "store.username = root",
            "tracker.lease = 3s",
            "worker.lease = 5s"));
    Arguments arguments =
        Arguments.none()
            .with(TrackerMain.CONFIG, config)
            .with(TrackerMain.PLANT, "")
            .with(TrackerMain.REPLAYS, "");
    return new JvmNode(
        "tracker",
        start ->
            ChildJvm.start(
                TrackerMain.class, directory.resolve("tracker.log"), TRACKER_HEAP, arguments));
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(MariaDb.url(server.port()), "root", "");
  }

  private static List<String> query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(rows.getString(1));
      }
      return column;
    }
  }

  /** An application with tables of its own, whose processes follow one another. */
  private final class Lane {
    private final String prefix;
    private final Random random;
    private final int count;

    private Lane(String prefix, int seed, int count) {
      this.prefix = prefix;
      this.random = new Random(seed);
      this.count = count;
    }

    private Void run() throws Exception {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        TransactionalJobs.withTablePrefix(prefix).createTables(connection);
        statement.execute("CREATE TABLE " + prefix + "app_order (name VARCHAR(64) PRIMARY KEY)");
      }
      for (int kill = 0; kill < count; kill++) {
        killOne(kill);
        kills.incrementAndGet();
      }
      JvmNode last = application("last", DyingSource.Moment.NEVER, 1);
      last.start();
      try {
        await()
            .atMost(PATIENCE)
            .until(() -> query("SELECT id FROM " + prefix + "enqueued").isEmpty());
      } finally {
        last.kill();
      }
      check();
      return null;
    }

    /** A process that does not end by itself within its time is killed then. */
    private void killOne(int kill) {
      DyingSource.Moment[] moments = DyingSource.Moment.values();
      DyingSource.Moment moment = moments[random.nextInt(moments.length)];
      int at = 1 + random.nextInt(moment.name().endsWith("ORDER") ? ORDERS / 2 : 2);
      JvmNode process = application(String.valueOf(kill), moment, at);
      process.start();
      boolean isMeantToDie = moment != DyingSource.Moment.NEVER;
      if (process.awaitEnd(isMeantToDie ? 15_000 : 500 + random.nextInt(1_500)) && isMeantToDie) {
        int unused = deaths.merge(moment, 1, Integer::sum);
      }
      process.kill();
    }

    private JvmNode application(String name, DyingSource.Moment moment, int at) {
      Arguments arguments =
          Arguments.none()
              .with(RelayAppMain.TRACKERS, "127.0.0.1:" + port)
              .with(RelayAppMain.URL, MariaDb.url(server.port()))
              .with(RelayAppMain.PREFIX, prefix)
              .with(RelayAppMain.NAME, prefix + name)
              .with(RelayAppMain.ORDERS, ORDERS)
              .with(RelayAppMain.MOMENT, moment)
              .with(RelayAppMain.COUNT, at)
              .with(RelayAppMain.SEED, random.nextLong());
      Path log = directory.resolve(prefix + "app.log");
      return new JvmNode(
          prefix + name, start -> ChildJvm.start(RelayAppMain.class, log, HEAP, arguments));
    }

    /** A rolled-back order is not in the table of orders; its job would be one too many. */
    private void check() throws SQLException {
      List<String> orders = query("SELECT name FROM " + prefix + "app_order ORDER BY name");
      String ended =
          "SELECT task_id FROM jt_history WHERE task_id LIKE '"
              + prefix.replace("_", "\\_")
              + "%' GROUP BY task_id, job_id ORDER BY task_id";
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(query(ended)).hasSizeGreaterThanOrEqualTo(orders.size()));

      assertThat(query(ended)).as("jobs of %s", prefix).containsExactlyElementsOf(orders);
      assertThat(query("SELECT message FROM " + prefix + "enqueued_rejected")).isEmpty();
      assertThat(orders).isNotEmpty();
    }
  }
}
