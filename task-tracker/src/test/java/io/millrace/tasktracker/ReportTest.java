package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.connected;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.rpc.RpcException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private final HandDrivenWorker worker = connected(8);
  private final ScriptedTracker tracker = worker.tracker;

  private List<Long> idsOfReport(int index) {
    return idsOf(tracker.completes.get(index).request());
  }

  private static List<Long> idsOf(CompleteRequest request) {
    return request.results().stream().map(ExecutionResult::executionId).toList();
  }

  private void finish(int count) {
    tracker.answersCompletes = false;
    tracker.assign(executions(11, count));
    worker.runInvocations();
  }

  @Test
  void loneResultLeavesAtOnceAndWhatGathersMeanwhileGoesTogether() {
    finish(4);
    assertThat(tracker.completes).hasSize(1);
    assertThat(idsOfReport(0)).containsExactly(11L);

    tracker.accept(tracker.completes.get(0).request(), tracker.completes.get(0).answer());

    assertThat(tracker.completes).hasSize(2);
    assertThat(idsOfReport(1)).containsExactly(12L, 13L, 14L);
  }

  @Test
  void unansweredReportIsSentAgainAfterAPause() {
    finish(1);
    tracker
        .completes
        .get(0)
        .answer()
        .completeExceptionally(new RpcException(ErrorCode.UNAVAILABLE, "no answer in time"));
    assertThat(tracker.completes).hasSize(1);

    worker.advance(Duration.ofSeconds(1));

    assertThat(idsOfReport(1)).containsExactly(11L);
  }

  @Test
  void resultsSurviveALostConnection() {
    finish(3);
    tracker.disconnect();
    worker.advance(Duration.ofMinutes(1));

    tracker.answersCompletes = true;
    tracker.connect();

    assertThat(worker.results())
        .extracting(ExecutionResult::executionId)
        .containsExactly(11L, 12L, 13L);
    worker.advance(Duration.ofSeconds(2));
    assertThat(tracker.lastPull().held()).isEmpty();
  }

  @Test
  void refusedResultIsLetGo() {
    finish(1);

    tracker
        .completes
        .get(0)
        .answer()
        .complete(new CompleteReply(List.of(CompletionStatus.REFUSED)));
    worker.advance(Duration.ofSeconds(5));

    assertThat(tracker.completes).hasSize(1);
    assertThat(tracker.lastPull().held()).isEmpty();
  }

  @Test
  void resultThatCannotBeStoredNowIsKeptAndKeepsNoOtherWaiting() {
    assertKeptAndSentAgain(CompletionStatus.TRY_AGAIN);
  }

  @Test
  void resultWhoseAnswerIsOfANewerProtocolIsKeptAndSentAgain() {
    assertKeptAndSentAgain(CompletionStatus.UNKNOWN);
  }

  private void assertKeptAndSentAgain(CompletionStatus notNow) {
    finish(3);
    tracker.accept(tracker.completes.get(0).request(), tracker.completes.get(0).answer());
    tracker
        .completes
        .get(1)
        .answer()
        .complete(new CompleteReply(List.of(notNow, CompletionStatus.ACCEPTED)));
    assertThat(tracker.completes).as("not at once").hasSize(2);

    worker.advance(Duration.ofSeconds(5));

    assertThat(idsOfReport(2)).containsExactly(12L);
    assertThat(tracker.lastPull().held()).containsExactly(12L);
    tracker.accept(tracker.completes.get(2).request(), tracker.completes.get(2).answer());
    worker.advance(Duration.ofSeconds(5));
    assertThat(tracker.completes).hasSize(3);
    assertThat(tracker.lastPull().held()).isEmpty();
  }

  @Test
  void answerThatIsTooShortLetsGoOfWhatItAnswers() {
    finish(3);
    tracker.accept(tracker.completes.get(0).request(), tracker.completes.get(0).answer());

    tracker
        .completes
        .get(1)
        .answer()
        .complete(new CompleteReply(List.of(CompletionStatus.ACCEPTED)));

    assertThat(idsOfReport(2)).containsExactly(13L);
  }

  @Test
  void answerThatAnswersNothingDoesNotMakeTheWorkerSpin() {
    finish(1);

    tracker.completes.get(0).answer().complete(new CompleteReply(List.of()));
    assertThat(tracker.completes).hasSize(1);

    worker.advance(Duration.ofSeconds(1));
    assertThat(tracker.completes).hasSize(2);
  }

  @Test
  void resultThatTheTrackerCannotTakeDoesNotHoldUpTheOthers() {
    finish(8);
    tracker.accept(tracker.completes.get(0).request(), tracker.completes.get(0).answer());
    for (int i = 1; i < tracker.completes.size(); i++) {
      CompleteRequest request = tracker.completes.get(i).request();
      if (idsOf(request).contains(15L)) {
        tracker
            .completes
            .get(i)
            .answer()
            .completeExceptionally(new RpcException(ErrorCode.BAD_REQUEST, "result 15 is bad"));
      } else {
        tracker.accept(request, tracker.completes.get(i).answer());
      }
    }

    assertThat(worker.results())
        .extracting(ExecutionResult::executionId)
        .containsExactly(11L, 12L, 13L, 14L, 16L, 17L, 18L);
    worker.advance(Duration.ofSeconds(2));
    assertThat(tracker.lastPull().held()).isEmpty();
  }

  @Test
  void reportIsBoundedInCount() {
    HandDrivenWorker wide =
        HandDrivenWorker.with(context -> Result.success())
            .slots(3_000)
            .maxUnacknowledged(10_000)
            .connect();
    wide.tracker.answersCompletes = false;
    wide.tracker.assign(executions(1, 3_000));
    wide.runInvocations();
    wide.tracker.acceptCompletes();

    assertThat(wide.tracker.completes)
        .allMatch(call -> call.request().results().size() <= CompleteRequest.MAX_RESULTS);
    assertThat(wide.results()).hasSize(3_000).doesNotHaveDuplicates();
  }

  @Test
  void reportIsBoundedInSize() {
    HandDrivenWorker wide =
        HandDrivenWorker.with(context -> Result.failed("x".repeat(4_000))).slots(500).connect();
    wide.tracker.answersCompletes = false;
    wide.tracker.assign(executions(1, 500));
    wide.runInvocations();
    wide.tracker.acceptCompletes();

    assertThat(wide.tracker.completes)
        .allMatch(call -> call.request().results().size() * 4_000 < 300_000);
    assertThat(wide.results()).hasSize(500);
  }

  @Test
  void invocationsNeverWaitForTheTracker() {
    tracker.answersCompletes = false;
    tracker.answersLogs = false;
    tracker.assign(executions(11, 8));

    worker.runInvocations();

    assertThat(worker.invocations).isEmpty();
    assertThat(tracker.lastPull().slots()).isEqualTo(1);
  }
}
