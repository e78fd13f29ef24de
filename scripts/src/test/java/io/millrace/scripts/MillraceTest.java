package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MillraceTest {

  @Test
  void helpListsEveryCommand() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("quickstart", "tracker", "worker", "submit", "cancel", "next", "start", "stop")
        .contains("pause", "resume", "run", "explain");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quickstart",
        "tracker",
        "worker",
        "submit",
        "pause",
        "resume",
        "run",
        "explain",
        "cancel",
        "next",
        "start",
        "stop"
      })
  void everyCommandHasHelpThatSaysItsExitCodes(String command) {
    CommandRun run = CommandRun.of(command, "--help");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).startsWith("Usage: millrace " + command).contains("Exit codes:");
  }

  @Test
  void versionIsSaid() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).startsWith("millrace ").contains("Java ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"submit", "pause", "resume", "run", "terminate", "explain", "cancel"})
  void trackerThatDoesNotAnswerIsAFailureInOneLine(String command) {
    CommandRun run =
        CommandRun.of(command, "g", "t", "--trackers", "127.0.0.1:1", "--wait", "200ms");

    assertThat(run.error()).contains("g/t", "127.0.0.1:1");
    assertThat(run.error().lines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
  }
}
