package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OutboxConfig;
import io.millrace.api.SubmitResult;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.time.SystemClock;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What submit and cancel do with an outbox. */
@Timeout(60)
class OutboxCommandsTest {
  private static final String NOBODY = "127.0.0.1:1";

  @TempDir private Path directory;

  @Test
  void jobThatNoTrackerAnswersIsSavedAndDeliveredByTheNextSubmit() throws InterruptedException {
    CommandRun saved = run("submit", "orders", "a", NOBODY);

    assertThat(saved.out())
        .startsWith("SAVED_LOCALLY orders/a: no tracker has answered")
        .contains(directory.toString());
    assertThat(saved.exitCode()).isEqualTo(ExitCode.OK);

    try (ScriptedTracker tracker = new ScriptedTracker()) {
      tracker.answers(new SubmitReply(List.of(SubmitResult.accepted("any"))));
      CommandRun next = run("submit", "orders", "b", tracker.address());

      assertThat(next.out().lines())
          .satisfiesExactly(
              line -> assertThat(line).startsWith("DELIVERED orders/a, ").endsWith(": ACCEPTED"),
              line -> assertThat(line).isEqualTo("ACCEPTED orders/b"));
      assertThat(next.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(List.of(taskId(tracker.asked()), taskId(tracker.asked())))
          .containsExactly("a", "b");
    }
  }

  @Test
  void cancelThatNoTrackerAnswersIsSaved() {
    CommandRun saved = run("cancel", "orders", "a", NOBODY);

    assertThat(saved.out()).startsWith("SAVED_LOCALLY orders/a: no tracker has answered");
    assertThat(saved.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void directoryThatIsInUseIsAFailure() {
    try (Outbox inUse = Outbox.open(OutboxConfig.of(directory), new SystemClock())) {
      CommandRun run = run("submit", "orders", "a", NOBODY);

      assertThat(inUse.size()).isZero();
      assertThat(run.error().lines())
          .singleElement()
          .satisfies(line -> assertThat(line).contains(directory.toString(), "in use"));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    }
  }

  private static String taskId(Request<?> request) {
    return ((SubmitRequest) request).submissions().get(0).job().taskId();
  }

  private CommandRun run(String command, String group, String taskId, String tracker) {
    return CommandRun.of(
        command, group, taskId, "--trackers", tracker, "--outbox", directory.toString());
  }
}
