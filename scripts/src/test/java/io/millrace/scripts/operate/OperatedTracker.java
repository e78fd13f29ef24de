package io.millrace.scripts.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.console.ConsoleConfig;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A tracker with a console over a new database, and an operator who asks it by commands. */
public final class OperatedTracker implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** What is shown is counted anew before a test has looked twice. */
  private static final ServiceConfig.Reports REPORTS =
      new ServiceConfig.Reports(Duration.ofMillis(200), Duration.ofMillis(200));

  private final Path directory;
  private final StoreConfig store;
  private final TrackerServer tracker;
  private final Path adminToken;

  private OperatedTracker(Path directory, StoreConfig store, TrackerServer tracker)
      throws IOException {
    this.directory = directory;
    this.store = store;
    this.tracker = tracker;
    this.adminToken = directory.resolve("admin.token");
    Optional<String> first = tracker.firstOperatorToken();
    if (first.isPresent()) {
      Path unused = keep("admin", first.get());
    }
  }

  /**
   * Starts a tracker whose database, and the tokens of its operators, are in this directory: new
   * ones, or those of a tracker before it.
   */
  public static OperatedTracker in(Path directory) throws IOException {
    StoreConfig store =
        StoreConfig.of("jdbc:h2:file:" + directory.resolve("store").toAbsolutePath(), "sa", "");
    TrackerServer tracker =
        TrackerServer.create(
            new TrackerServerConfig(
                    JobTrackerConfig.local(0, store)
                        .serving(ServiceConfig.DEFAULT.reporting(REPORTS)))
                .withConsole(ConsoleConfig.onLoopback(0)));
    tracker.start();
    return new OperatedTracker(directory, store, tracker);
  }

  public JobTracker tracker() {
    return tracker.tracker();
  }

  public String url() {
    return tracker.consoleUrl().orElseThrow();
  }

  /** Writes a token to a file. */
  public Path keep(String name, String token) throws IOException {
    return Files.writeString(directory.resolve(name + ".token"), token + "\n");
  }

  /** A configuration file of a tracker over the same database. */
  public Path config() throws IOException {
    return Files.writeString(
        directory.resolve("tracker.properties"),
        "store.url = " + store.url() + "\nstore.username = " + store.username() + "\n");
  }

  /** Issues a token of this role, and returns its file. */
  public Path token(String role) throws IOException {
    CommandRun issued = run("token", "issue", role.toLowerCase() + "-1", "--role", role);
    assertThat(issued.exitCode()).as(issued.error()).isEqualTo(ExitCode.OK);
    return keep(role, issued.out().replaceFirst("(?s)^token: (\\S+).*$", "$1"));
  }

  /** Runs a command as the administrator. */
  public CommandRun run(String... arguments) {
    return runWith(adminToken, arguments);
  }

  /** Runs a command with the token in this file. */
  public CommandRun runWith(Path token, String... arguments) {
    return runWithout(
        Stream.concat(Stream.of(arguments), Stream.of("--token-file", token.toString()))
            .toArray(String[]::new));
  }

  /** Runs a command with no token. */
  public CommandRun runWithout(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of(arguments), Stream.of("--url", url())).toArray(String[]::new));
  }

  /** Runs a command that has to be done, and returns what it prints. */
  public String done(String... arguments) {
    CommandRun run = run(arguments);
    assertThat(run.error()).as(String.join(" ", arguments)).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    return run.out();
  }

  /**
   * Runs a command again and again until what it prints is as expected; returns what was made of it
   * then.
   */
  public <T> T awaited(Function<String, T> read, Predicate<T> expected, String... arguments) {
    return await(String.join(" ", arguments))
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(PAUSE)
        .until(() -> read.apply(done(arguments)), expected);
  }

  /** The file that H2 keeps the database in. */
  public Path databaseFile() {
    return directory.resolve("store.mv.db");
  }

  /** Stops the tracker; the database stays. */
  @Override
  public void close() {
    tracker.close();
  }
}
