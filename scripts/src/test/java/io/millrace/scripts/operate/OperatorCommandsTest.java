package io.millrace.scripts.operate;

import static io.millrace.scripts.operate.token.TokenCommandsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.Millrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every command that asks the API. */
@Timeout(120)
class OperatorCommandsTest {
  /** Answers anybody, as those need who watch over processes. */
  private static final String OPEN = "health";

  private static final List<String> COMMANDS =
      List.of(
          "health",
          "submit g t",
          "pause g t",
          "resume g t",
          "cancel g t",
          "run g t",
          "explain g t",
          "status g t",
          "status g t --submission s",
          "terminate g t",
          "terminate g t --execution 7",
          "next g t",
          "jobs",
          "job g t",
          "versions g t",
          "bulk pause --node-group g",
          "bulks",
          "bulks 7",
          "bulk-stop 7",
          "export",
          "apply -f src/test/jobs.json",
          "waiting g",
          "running",
          "history",
          "history 7",
          "log 7",
          "log 7 -f",
          "result 7",
          "dead",
          "dead 7",
          "replay 7",
          "replay --node-group g",
          "discard 7",
          "groups",
          "workers",
          "workers w",
          "drain w",
          "trackers",
          "batches",
          "batch 1",
          "overview",
          "tokens",
          "token issue x --role VIEW",
          "token revoke x",
          "audit");

  @TempDir private Path directory;

  @Test
  void noneIsForgottenHere() {
    Set<String> asking = new TreeSet<>();
    Millrace.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getCommandSpec().optionsMap().containsKey("--url")) {
                asking.add(name);
              }
            });
    asking.add("token");

    assertThat(COMMANDS).extracting(line -> line.split(" ")[0]).containsAll(asking);
  }

  @Test
  void nobodyDoesAnythingWithoutAToken() throws IOException {
    try (OperatedTracker operated = OperatedTracker.in(directory)) {
      for (String line : COMMANDS) {
        CommandRun run = operated.runWithout(line.split(" "));
        if (line.equals(OPEN)) {
          assertThat(run.exitCode()).as(line).isEqualTo(ExitCode.OK);
        } else {
          assertRefused(run, ExitCode.NOT_ALLOWED, "MILLRACE_OPERATOR_TOKEN");
        }
      }
    }
  }

  @Test
  void whoMayOnlyLookChangesNothing() throws IOException {
    try (OperatedTracker operated = OperatedTracker.in(directory)) {
      Path viewer = operated.token("VIEW");
      for (String line : List.of("submit g t", "pause g t", "cancel g t", "token revoke admin")) {
        assertRefused(
            operated.runWith(viewer, line.split(" ")), ExitCode.NOT_ALLOWED, "view-1 has VIEW");
      }
    }
  }

  @ParameterizedTest
  @MethodSource
  void trackerThatIsNotThereIsAFailure(String line) {
    CommandRun run =
        CommandRun.of(
            Stream.concat(Stream.of(line.split(" ")), Stream.of("--url", "http://127.0.0.1:1"))
                .toArray(String[]::new));

    assertRefused(run, ExitCode.FAILED, "no tracker answers at http://127.0.0.1:1");
  }

  static Stream<String> trackerThatIsNotThereIsAFailure() {
    return COMMANDS.stream();
  }
}
