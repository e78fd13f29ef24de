package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MillraceTest {

  @Test
  void helpListsEveryCommand() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains(Millrace.commandLine().getSubcommands().keySet());
  }

  @ParameterizedTest
  @MethodSource
  void everyCommandHasHelpThatSaysItsExitCodes(List<String> command) {
    List<String> asked = new ArrayList<>(command);
    asked.add("--help");
    CommandRun run = CommandRun.of(asked.toArray(String[]::new));

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .startsWith("Usage: millrace " + String.join(" ", command))
        .contains("Exit codes:");
  }

  static Stream<List<String>> everyCommandHasHelpThatSaysItsExitCodes() {
    return commandsBelow(Millrace.commandLine(), List.of());
  }

  private static Stream<List<String>> commandsBelow(CommandLine command, List<String> name) {
    return command.getSubcommands().entrySet().stream()
        .flatMap(
            below -> {
              List<String> names = new ArrayList<>(name);
              names.add(below.getKey());
              return Stream.concat(Stream.of(names), commandsBelow(below.getValue(), names));
            });
  }

  @Test
  void versionIsSaid() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).startsWith("millrace ").contains("Java ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"submit", "pause", "resume", "run", "terminate", "explain", "status", "cancel"})
  void trackerThatDoesNotAnswerIsAFailureInOneLine(String command) {
    CommandRun run =
        CommandRun.of(command, "g", "t", "--trackers", "127.0.0.1:1", "--wait", "200ms");

    assertThat(run.error()).contains("g/t", "127.0.0.1:1");
    assertThat(run.error().lines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
  }
}
