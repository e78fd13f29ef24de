package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Token;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands that go the way of applications make of a tracker that refuses them. */
@Timeout(60)
class RefusedCommandsTest {
  private static final String TOKEN = "the-token-of-the-clients-0123456789";
  private static final RoleTokens TOKENS = new RoleTokens(Token.of(TOKEN), Token.of(TOKEN));

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "submit g t",
        "pause g t",
        "resume g t",
        "run g t",
        "terminate g t",
        "explain g t",
        "status g t",
        "cancel g t",
        "health"
      })
  void whoHasNoTokenOrAWrongOneIsNotAllowedAndToldSoInOneLine(String line) throws IOException {
    Path wrong = Files.writeString(directory.resolve("token"), "x".repeat(40));
    try (ScriptedTracker tracker = new ScriptedTracker(TOKENS)) {
      String[] command = line.split(" ");

      assertNotAllowed(run(tracker, command), "this node has none", tracker);
      assertNotAllowed(
          run(tracker, with(command, "--token-file", wrong.toString())), "wrong token", tracker);
    }
  }

  private static void assertNotAllowed(CommandRun run, String why, ScriptedTracker tracker) {
    assertThat(run.error())
        .contains("tracker at " + tracker.address(), why)
        .endsWith("; the token is read from --token-file FILE or from MILLRACE_TOKEN\n")
        .hasLineCount(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED);
  }

  @Test
  void whoIsNotAllowedLeavesNothingInTheOutbox() {
    Path outbox = directory.resolve("outbox");
    try (ScriptedTracker refusing = new ScriptedTracker(TOKENS);
        ScriptedTracker open = new ScriptedTracker()) {
      open.answers(new RpcException(ErrorCode.BAD_REQUEST, "not this"));
      String[] submit = {"submit", "g", "t", "--outbox", outbox.toString()};

      assertThat(run(refusing, submit).exitCode()).isEqualTo(ExitCode.NOT_ALLOWED);
      CommandRun next = run(open, submit);
      assertThat(next.out()).doesNotContain("DELIVERED");
      assertThat(next.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "submit g t,BAD_REQUEST,2",
    "cancel g t,BAD_REQUEST,2",
    "submit g t,FORBIDDEN,3",
    "pause g t,FORBIDDEN,3",
    "submit g t,UNSUPPORTED,1",
    "run g t,UNSUPPORTED,1"
  })
  void refusalOfARequestHasTheCodeOfItsReason(String line, ErrorCode code, int exitCode) {
    try (ScriptedTracker tracker = new ScriptedTracker()) {
      tracker.answers(new RpcException(code, "a field is\nout of bounds"));

      CommandRun run = run(tracker, line.split(" "));

      assertThat(run.error())
          .startsWith("millrace " + line.split(" ")[0] + ": ")
          .contains("a field is; out of bounds")
          .hasLineCount(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.exitCode()).isEqualTo(exitCode);
    }
  }

  private static CommandRun run(ScriptedTracker tracker, String... command) {
    return CommandRun.of(with(command, "--trackers", tracker.address()));
  }

  private static String[] with(String[] command, String... options) {
    return Stream.of(command, options).flatMap(Arrays::stream).toArray(String[]::new);
  }
}
