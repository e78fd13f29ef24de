package io.millrace.torture.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.torture.node.Signal;
import io.millrace.torture.node.Watched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProgramTest {
  @TempDir Path directory;

  private Path program(String... lines) throws IOException {
    Path file = directory.resolve("program");
    Files.write(file, List.of("#!/bin/sh", String.join("\n", lines)));
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private ServerProgram named(Path program) {
    return ServerProgram.named(ServerProgram.MYSQL, Map.of("MILLRACE_MYSQL", program.toString()));
  }

  @Test
  void whatIsMissingIsNamedWithWhatItHasToBe() {
    assertThatThrownBy(() -> ServerProgram.named(ServerProgram.MYSQL, Map.of()))
        .isInstanceOf(ServerProgramMissingException.class)
        .hasMessageStartingWith("MILLRACE_MYSQL is not set; it must be the path of a program")
        .hasMessageContaining("'start DATA PORT'");
    assertThatThrownBy(() -> ServerProgram.named(ServerProgram.GALERA, Map.of()))
        .isInstanceOf(ServerProgramMissingException.class)
        .hasMessageStartingWith("MILLRACE_GALERA is not set")
        .hasMessageContaining("'node DATA PORT N'");
  }

  @Test
  void whatCannotBeExecutedIsRefused() {
    assertThatThrownBy(() -> named(directory))
        .isInstanceOf(ServerProgramMissingException.class)
        .hasMessageContaining("MILLRACE_MYSQL is " + directory + ", which is not executable");
  }

  @Test
  void everyProcessThatItPrintsIsWatched() throws IOException {
    Path program =
        program(
            "for server in 1 2; do",
            "  sleep 60 >/dev/null 2>&1 &",
            "  echo $!",
            "done",
            "echo \"$@\" >&2");
    Path log = directory.resolve("log");

    List<Watched> servers = named(program).run(log, "start", directory, 4000);

    assertThat(servers).hasSize(2).allMatch(Watched::isAlive);
    assertThat(log).content().contains("start " + directory + " 4000");
    servers.get(0).kill();
    assertThat(servers.get(0).isAlive()).isFalse();
    assertThat(servers.get(1).isAlive()).isTrue();
    servers.get(1).send(Signal.TERM);
    assertThat(servers.get(1).awaitEnd(10_000)).isTrue();
    servers.get(1).kill();
  }

  @Test
  void aProgramThatFailsIsNamedWithItsLog() throws IOException {
    Path program = program("echo no more room >&2", "exit 1");
    Path log = directory.resolve("log");

    assertThatThrownBy(() -> named(program).run(log, "start"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(program + " start started no process; see " + log);
    assertThat(log).hasContent("no more room");
  }
}
