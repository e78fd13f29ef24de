package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.RunNowResult;
import io.millrace.api.TerminateResult;
import io.millrace.api.TrackerHealth;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.protocol.HealthRequest;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@Timeout(60)
class JobCommandsTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final ScriptedTracker tracker = new ScriptedTracker();

  @AfterEach
  void close() {
    tracker.close();
  }

  @Test
  void pauseSaysWhatWasDoneAndTellsTheReason() throws InterruptedException {
    tracker.answers(new ChangeResult(ChangeStatus.CHANGED, 1, "paused;\n1 is running"));

    CommandRun run = run("pause", "orders", "report", "--reason", " out of ink ");

    assertDone(run, "PAUSED orders/report: paused; 1 is running");
    assertThat(tracker.asked()).isEqualTo(new PauseRequest("orders", "report", "out of ink"));
  }

  @Test
  void pauseWithoutReasonGivesNone() throws InterruptedException {
    tracker.answers(new ChangeResult(ChangeStatus.UNCHANGED, 0, "paused already by bob"));

    assertDone(run("pause", "orders", "report"), "UNCHANGED orders/report: paused already by bob");
    assertThat(tracker.asked()).isEqualTo(new PauseRequest("orders", "report", null));
  }

  @Test
  void commandsSayWhoTheyAre() throws InterruptedException {
    tracker.answers(new ChangeResult(ChangeStatus.CHANGED, 0, "paused"));

    run("pause", "orders", "report");

    Peer caller = tracker.caller();
    assertThat(caller.group()).isEqualTo("millrace-cli");
    assertThat(caller.nodeId())
        .matches(".+@.+#" + ProcessHandle.current().pid() + "-[0-9a-f]{8}")
        .startsWith(System.getProperty("user.name"));
  }

  @Test
  void resumeSaysWhatWasDone() throws InterruptedException {
    tracker.answers(new ChangeResult(ChangeStatus.CHANGED, 0, "fires next at noon"));

    assertDone(run("resume", "orders", "report"), "RESUMED orders/report: fires next at noon");
    assertThat(tracker.asked()).isEqualTo(new ResumeRequest("orders", "report"));
  }

  @Test
  void runWithoutParametersLeavesTheJobItsOwn() throws InterruptedException {
    tracker.answers(new RunNowResult(ChangeStatus.CHANGED, NOON, 2, "it is stored"));

    CommandRun run = run("run", "orders", "report");

    assertDone(run, "ACCEPTED orders/report, extra run 2: it is stored");
    assertThat(((RunNowRequest) tracker.asked()).params()).isNull();
  }

  @Test
  void runTakesParametersInThePlaceOfTheJobsOwn() throws InterruptedException {
    tracker.answers(new RunNowResult(ChangeStatus.CHANGED, NOON, 1, "it is stored"));

    run("run", "orders", "report", "--param", "day=monday", "--param", "empty=");

    RunNowRequest asked = (RunNowRequest) tracker.asked();
    assertThat(asked.params()).isEqualTo(Map.of("day", "monday", "empty", ""));
    assertThat(asked.nodeGroup() + "/" + asked.taskId()).isEqualTo("orders/report");
  }

  @Test
  void terminateSaysHowManyWereUnderWay() throws InterruptedException {
    tracker.answers(new TerminateResult(2));
    assertDone(
        run("terminate", "orders", "report"),
        "TERMINATED orders/report: executions asked to stop: 2");
    assertThat(tracker.asked()).isEqualTo(new TerminateRequest("orders", "report", null));

    assertDone(
        run("terminate", "orders", "report", "--execution", "77"),
        "TERMINATED orders/report: executions asked to stop: 2");
    assertThat(tracker.asked()).isEqualTo(new TerminateRequest("orders", "report", 77L));
  }

  @Test
  void terminateOfWhatDoesNotRunIsAFailure() {
    tracker.answers(new TerminateResult(0));

    assertFailed(run("terminate", "orders", "report"), "no execution of orders/report is running");
    assertFailed(
        run("terminate", "orders", "report", "--execution", "77"),
        "no execution 77 of orders/report is running");
  }

  @ParameterizedTest
  @EnumSource(
      value = ChangeStatus.class,
      mode = Mode.EXCLUDE,
      names = {"CHANGED", "UNCHANGED"})
  void whatIsNotDoneIsAFailureWithItsMessage(ChangeStatus status) {
    tracker.answers(new ChangeResult(status, 0, "it is a one-shot"));
    assertFailed(run("pause", "orders", "report"), status + " orders/report: it is a one-shot");
    assertFailed(run("resume", "orders", "report"), status + " orders/report: it is a one-shot");

    tracker.answers(new RunNowResult(status, null, 0, "it is a one-shot"));
    assertFailed(run("run", "orders", "report"), status + " orders/report: it is a one-shot");
  }

  @Test
  void healthNamesTheTrackerAndWhatItServes() throws InterruptedException {
    tracker.answers(
        new TrackerHealth("t-1", 3, "127.0.0.1:35001", List.of("billing", "orders"), null));
    assertDone(run("health"), "tracker 3 (t-1) at 127.0.0.1:35001 serves billing, orders");
    assertThat(tracker.asked()).isEqualTo(new HealthRequest());

    tracker.answers(new TrackerHealth("t-1", 3, "127.0.0.1:35001", List.of(), null));
    assertDone(run("health"), "tracker 3 (t-1) at 127.0.0.1:35001 serves no node groups");
  }

  @Test
  void troubleOfATrackerIsAFailure() {
    String trouble = "the store has not answered for 7.0 s: refused";
    tracker.answers(new TrackerHealth("t-1", 3, "127.0.0.1:35001", List.of(), trouble));
    assertFailed(run("health"), "tracker 3 (t-1) at 127.0.0.1:35001: " + trouble);
  }

  @Test
  void explainPrintsOneFactALineInTheTrackersOrder() throws InterruptedException {
    tracker.answers(
        new Explanation(
            "orders",
            "report",
            NOON,
            List.of(
                new Fact(FactKind.STATE, null, "a cron job, active"),
                new Fact(FactKind.NEXT_FIRE, NOON.plusMillis(250), "fires next"),
                new Fact(FactKind.UNKNOWN, NOON, "boom:\n\tat line 1\u001b[31m")),
            List.of()));

    CommandRun run = run("explain", "orders", "report");

    assertThat(run.out().lines())
        .containsExactly(
            "a cron job, active",
            "2026-03-01T12:00:00.250Z  fires next",
            "2026-03-01T12:00:00Z  boom: at line 1 [31m");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(tracker.asked()).isEqualTo(new ExplainRequest("orders", "report"));
  }

  @Test
  void explainOfAnUnknownJobNamesTaskIdsLikeIt() {
    Fact nothing = new Fact(FactKind.NOT_FOUND, null, "No such job.");
    tracker.answers(
        new Explanation("orders", "reprot", NOON, List.of(nothing), List.of("report", "report-2")));
    assertFailed(
        run("explain", "orders", "reprot"), "No such job. Similar task ids: report, report-2.");

    tracker.answers(new Explanation("orders", "x", NOON, List.of(nothing), List.of()));
    assertFailed(run("explain", "orders", "x"), "No such job.");
  }

  private static void assertDone(CommandRun run, String line) {
    assertThat(run.error()).isEmpty();
    assertThat(run.out().lines()).containsExactly(line);
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  private static void assertFailed(CommandRun run, String message) {
    assertThat(run.error().lines()).hasSize(1).allMatch(line -> line.endsWith(": " + message));
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  private CommandRun run(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of(arguments), Stream.of("--trackers", tracker.address()))
            .toArray(String[]::new));
  }
}
