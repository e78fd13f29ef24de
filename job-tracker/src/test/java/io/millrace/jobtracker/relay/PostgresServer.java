package io.millrace.jobtracker.relay;

import static org.awaitility.Awaitility.await;

import io.millrace.jobtracker.fixture.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real PostgreSQL, from the programs of this machine, started once for the whole test JVM; none
 * if the machine has none. It stops, and its data go, when the JVM ends. It refuses to run as root,
 * so there its user is {@code postgres}, which its Debian package creates.
 */
public final class PostgresServer {
  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Optional<PostgresServer> INSTANCE = programs().map(PostgresServer::start);

  private final int port;

  private PostgresServer(int port) {
    this.port = port;
  }

  public static Optional<PostgresServer> running() {
    return INSTANCE;
  }

  /** The URL of one of its databases, with the user in it; {@code postgres} is always there. */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
  }

  /** The programs of the newest version. */
  private static Optional<Path> programs() {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(INSTALLED)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.comparing(Path::toString));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PostgresServer start(Path programs) {
    try {
      Path directory = Files.createTempDirectory("millrace-postgres");
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      Path data = Files.createDirectory(directory.resolve("data"));
      if (isRoot()) {
        run(List.of("chown", "postgres", data.toString()), directory);
      }
      run(
          asUser(
              programs.resolve("initdb"),
              "-D",
              data,
              "-U",
              "postgres",
              "-A",
              "trust",
              "-E",
              "UTF8",
              "--no-sync"),
          directory);
      int port = FreePort.find();
      Process server =
          begin(
              asUser(
                  programs.resolve("postgres"),
                  "-D",
                  data,
                  "-p",
                  port,
                  "-k",
                  data,
                  "-c",
                  "listen_addresses=127.0.0.1",
                  "-c",
                  "fsync=off",
                  "-c",
                  "timezone=Asia/Kolkata"),
              directory);
      stopAtExit(server, directory);
      PostgresServer started = new PostgresServer(port);
      started.awaitConnection(server, directory);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static List<String> asUser(Object... words) {
    List<String> command =
        new ArrayList<>(isRoot() ? List.of("runuser", "-u", "postgres", "--") : List.of());
    Stream.of(words).map(String::valueOf).forEach(command::add);
    return command;
  }

  private static Process begin(List<String> command, Path directory) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }

  private static void run(List<String> command, Path directory) throws IOException {
    try {
      if (begin(command, directory).waitFor() != 0) {
        throw new IOException(command + ": " + Files.readString(directory.resolve("log")));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(command + " was interrupted", e);
    }
  }

  private void awaitConnection(Process server, Path directory) throws IOException {
    await().atMost(PATIENCE).until(() -> !server.isAlive() || isReady());
    if (!isReady()) {
      throw new IOException(Files.readString(directory.resolve("log")));
    }
  }

  private boolean isReady() {
    try (Connection connection = DriverManager.getConnection(url("postgres"))) {
      return connection.isValid(0);
    } catch (SQLException notYet) {
      return false;
    }
  }

  /** The server is a child of the program that changes the user, which passes the signal on. */
  private static void stopAtExit(Process server, Path directory) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.descendants().forEach(ProcessHandle::destroy);
                  server.destroy();
                  try {
                    boolean unused = server.waitFor(10, TimeUnit.SECONDS);
                    deleteAll(directory);
                  } catch (IOException | InterruptedException e) {
                    // What is left is in the temporary directory.
                  }
                }));
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
