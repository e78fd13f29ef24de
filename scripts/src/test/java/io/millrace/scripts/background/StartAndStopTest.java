package io.millrace.scripts.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real tracker in a process of its own. */
@Timeout(120)
class StartAndStopTest {
  @TempDir private Path directory;

  @AfterEach
  void endWhatATestLeft() {
    node().find().ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void startedTrackerAnswersUntilItIsStopped() throws IOException {
    configure(
        "rpc.port = 0",
        "console.port = 0",
        "store.url = jdbc:h2:file:" + directory.resolve("store"));

    CommandRun started = command("start");
    assertThat(started.error()).isEmpty();
    assertThat(started.exitCode()).isEqualTo(ExitCode.OK);
    String address = Files.readString(files().address()).strip();
    assertThat(started.out()).contains("listens on " + address, files().log().toString());

    assertThat(CommandRun.of("submit", "orders", "close:42", "--trackers", address).out())
        .isEqualToIgnoringNewLines("ACCEPTED orders/close:42");
    assertThat(CommandRun.of("submit", "orders", "close:42", "--trackers", address).out())
        .startsWith("DUPLICATE orders/close:42: ");
    assertThat(CommandRun.of("cancel", "orders", "close:42", "--trackers", address).out())
        .startsWith("CANCELLED orders/close:42: waiting triggers removed: 1,");

    CommandRun again = command("start");
    assertThat(again.error()).contains("is already running");
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);

    CommandRun stopped = command("stop");
    assertThat(stopped.out()).contains("has ended");
    assertThat(stopped.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(files().pid()).doesNotExist();
    assertThat(files().address()).doesNotExist();
    // Logback would tell all of its configuration there if it had to warn of any.
    assertThat(files().log().resolveSibling("tracker.log.out")).content().doesNotContain("|-");
    assertThat(files().log()).content().contains(" listens at " + address);
    assertThat(command("stop").out()).contains("is not running");
  }

  @Test
  void whatAStartLeavesIsItsOwnersAloneAndTheNextGoesOnAfterADeath() throws Exception {
    Path run = directory.resolve("run");
    NodeFiles left = NodeFiles.of(run, config());
    configure(
        "rpc.port = 0",
        "console.port = 0",
        "store.url = jdbc:h2:file:" + directory.resolve("data/store"));
    String[] arguments = {"--config", config().toString(), "--run-dir", run.toString()};
    NodeProcess node = new NodeProcess(left);
    try {
      CommandRun started = CommandRun.of(with("start", arguments));

      assertThat(started.error()).isEmpty();
      assertThat(started.out()).containsPattern("token: mrt_\\S+ {3}\\(admin; shown only once\\)");
      assertThat(left.token()).doesNotExist();
      assertThat(left.log()).content().contains("console: ");
      assertThat(files(run)).contains(left.log(), left.pid(), left.address());
      assertIsItsOwnersAlone(run);
      ProcessHandle died = node.find().orElseThrow();
      assertThat(died.info().arguments().orElseThrow()).contains("-XX:+ExitOnOutOfMemoryError");

      assertThat(died.destroyForcibly()).isTrue();
      died.onExit().get(30, TimeUnit.SECONDS);
      CommandRun again = CommandRun.of(with("start", arguments));

      assertThat(again.exitCode()).as("a process that died is noticed").isEqualTo(ExitCode.OK);
      assertThat(node.find()).isPresent().isNotEqualTo(Optional.of(died));
      assertThat(again.out()).contains("listens on").doesNotContain("token");
      assertThat(CommandRun.of(with("stop", arguments)).exitCode()).isEqualTo(ExitCode.OK);
    } finally {
      node.find().ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private void assertIsItsOwnersAlone(Path run) throws IOException {
    assertThat(permissions(run)).isEqualTo("rwx------");
    for (Path file : files(run)) {
      assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------");
      assertThat(file).content().as(file.toString()).doesNotContain("mrt_");
    }
    assertThat(permissions(directory.resolve("data"))).isEqualTo("rwx------");
    assertThat(permissions(directory.resolve("data/store.mv.db"))).isEqualTo("rw-------");
  }

  private static String[] with(String command, String... arguments) {
    return Stream.concat(Stream.of(command), Stream.of(arguments)).toArray(String[]::new);
  }

  private static List<Path> files(Path run) throws IOException {
    try (Stream<Path> files = Files.list(run)) {
      return files.toList();
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void configurationThatTheTrackerRefusesIsToldByTheStart() throws IOException {
    configure("rpc.prt = 1");

    CommandRun run = command("start");

    assertThat(run.error()).contains("rpc.prt", "line 1");
    assertThat(run.error().lines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(files().pid()).doesNotExist();
  }

  private void configure(String... lines) throws IOException {
    Files.writeString(config(), String.join("\n", lines) + "\n");
  }

  private CommandRun command(String name) {
    return CommandRun.of(name, "--config", config().toString(), "--run-dir", directory.toString());
  }

  private Path config() {
    return directory.resolve("tracker.properties");
  }

  private NodeFiles files() {
    return NodeFiles.of(directory, config());
  }

  private NodeProcess node() {
    return new NodeProcess(files());
  }
}
