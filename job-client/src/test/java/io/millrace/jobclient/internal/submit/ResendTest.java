package io.millrace.jobclient.internal.submit;

import static io.millrace.jobclient.internal.submit.PipelineRig.bounds;
import static io.millrace.jobclient.internal.submit.PipelineRig.job;
import static io.millrace.jobclient.internal.submit.PipelineRig.submissionIds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.jobclient.JobSubmitException;
import io.millrace.jobclient.fake.Answers;
import io.millrace.jobclient.internal.request.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of jobs whose request fails. */
class ResendTest {
  private static final Duration A_WHILE = Duration.ofSeconds(6);

  private final PipelineRig rig = new PipelineRig();

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "INTERNAL"})
  void unansweredJobIsSentAgainUnderTheSameId(ErrorCode code) {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    rig.fail(0, code);
    assertThat(rig.requests()).hasSize(1);
    rig.timer.advance(A_WHILE);

    assertThat(rig.requests()).hasSize(2);
    assertThat(rig.requests().get(1)).isEqualTo(rig.requests().get(0));
    rig.accept(1);
    assertThat(result).isCompletedWithValueMatching(Answers.accepted("a"));
  }

  /** The tracker plans what has passed since; a one-shot has nothing to plan. */
  @Test
  void recurringJobSaysWithEachRequestHowLongItHasWaited() {
    rig.disconnect();
    rig.submit(Job.builder("orders", "poll").every(A_WHILE).build());
    rig.submit(job("once"));
    rig.timer.advance(A_WHILE);
    rig.connect();

    assertThat(waited(0)).containsExactly(A_WHILE, Duration.ZERO);
    rig.fail(0, ErrorCode.UNAVAILABLE);
    rig.timer.advance(A_WHILE);
    assertThat(waited(1).get(0)).isGreaterThan(A_WHILE);
  }

  private List<Duration> waited(int request) {
    SubmitRequest sent = rig.requests().get(request);
    return sent.submissions().stream().map(sent::waited).toList();
  }

  @Test
  void jobsKeepTheirPlaceOnAResend() {
    rig.disconnect();
    List.of("a", "b").forEach(id -> rig.submit(job(id)));
    rig.connect();
    rig.submit(job("c"));

    rig.fail(0, ErrorCode.UNAVAILABLE);
    rig.timer.advance(A_WHILE);

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a", "b"), List.of("a", "b", "c"));
  }

  @Test
  void resendDoesNotOvertakeANewerJobOfTheKey() {
    rig.submit(job("a"));
    rig.submit(job("a"));

    rig.fail(0, ErrorCode.UNAVAILABLE);
    rig.timer.advance(A_WHILE);
    rig.accept(1);

    assertThat(rig.requests().get(1)).isEqualTo(rig.requests().get(0));
    assertThat(submissionIds(rig.requests().get(2)))
        .isNotEqualTo(submissionIds(rig.requests().get(0)));
  }

  @Test
  void newConnectionIsUsedAtOnce() {
    rig.submit(job("a"));
    rig.fail(0, ErrorCode.UNAVAILABLE);

    rig.connect();

    assertThat(rig.requests()).hasSize(2);
  }

  @Test
  void putOffJobIsSentAgainWhileTheOthersAreDone() {
    rig.disconnect();
    CompletableFuture<SubmitResult> a = rig.submit(job("a"));
    CompletableFuture<SubmitResult> b = rig.submit(job("b"));
    rig.connect();

    rig.answer(0, id -> id.equals("a") ? busy(id) : SubmitResult.accepted(id));
    assertThat(b).isCompleted();
    rig.submit(job("c"));
    rig.timer.advance(A_WHILE);
    assertThat(rig.sentTaskIds()).containsExactly(List.of("a", "b"), List.of("c"));
    rig.accept(1);

    assertThat(rig.sentTaskIds()).endsWith(List.of("a"));
    assertThat(submissionIds(rig.requests().get(2)))
        .containsExactly(submissionIds(rig.requests().get(0)).get(0));
    rig.accept(2);
    assertThat(a).isCompletedWithValueMatching(Answers.accepted("a"));
  }

  @Test
  void jobForWhichThereIsNoRoomIsSentAgainUnderTheSameId() {
    CompletableFuture<SubmitResult> a = rig.submit(job("a"));
    rig.answer(
        0, id -> SubmitResult.rejected(id, RejectReason.WAITING_FULL, "as much as may wait"));
    rig.timer.advance(A_WHILE);

    assertThat(submissionIds(rig.requests().get(1)))
        .isEqualTo(submissionIds(rig.requests().get(0)));
    rig.accept(1);
    assertThat(a).isCompletedWithValueMatching(Answers.accepted("a"));
  }

  @Test
  void jobPutOffToTheEndGetsItsRejection() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));
    rig.answer(0, ResendTest::busy);

    rig.disconnect();
    rig.timer.advance(PipelineRig.TIMEOUT);

    assertThat(result).isCompletedWithValue(busy("a"));
  }

  @Test
  void jobWithoutAnswerHasAnUnknownOutcome() {
    CompletableFuture<SubmitResult> result = rig.submit(job("close:42"));
    rig.fail(0, ErrorCode.UNAVAILABLE);
    rig.disconnect();

    rig.timer.advance(PipelineRig.TIMEOUT);

    JobSubmitException failure = failureOf(result);
    assertThat(failure.isOutcomeUnknown()).isTrue();
    assertThat(failure)
        .hasMessageContaining("orders/close:42")
        .hasMessageContaining("unknown outcome")
        .hasMessageContaining("trackers [127.0.0.1:35001]")
        .hasMessageContaining("planned UNAVAILABLE");
  }

  @Test
  void jobInARequestThatHangsHasAnUnknownOutcome() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    rig.timer.advance(PipelineRig.TIMEOUT);

    assertThat(failureOf(result).isOutcomeUnknown()).isTrue();
  }

  @Test
  void jobThatWasNeverSentIsCertainlyNotStored() {
    rig.disconnect();
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    rig.timer.advance(PipelineRig.TIMEOUT.minusMillis(1));
    assertThat(result).isNotDone();
    rig.timer.advance(Duration.ofMillis(1));

    JobSubmitException failure = failureOf(result);
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(failure).hasMessageContaining("not stored").hasMessageContaining("sent 0 times");
  }

  @Test
  void answerThatComesTooLateIsDropped() {
    CompletableFuture<SubmitResult> first = rig.submit(job("a"));
    rig.timer.advance(PipelineRig.TIMEOUT);
    CompletableFuture<SubmitResult> second = rig.submit(job("a"));

    rig.accept(0);

    assertThat(first).isCompletedExceptionally();
    assertThat(second).isNotDone();
    rig.accept(1);
    assertThat(second).isCompletedWithValueMatching(Answers.accepted("a"));
  }

  @Test
  void failingTrackerIsAskedAFewTimesOnly() {
    rig.submit(job("a"));

    for (int sent = 1; rig.requests().size() == sent; sent++) {
      rig.fail(sent - 1, ErrorCode.UNAVAILABLE);
      rig.timer.runNext();
    }

    assertThat(rig.requests()).hasSizeBetween(8, 20);
  }

  @Test
  void refusedRequestFailsAtOnce() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    rig.fail(0, ErrorCode.FORBIDDEN);

    JobSubmitException failure = failureOf(result);
    assertThat(failure.isOutcomeUnknown()).isFalse();
    assertThat(failure).hasMessageContaining("planned FORBIDDEN");
    rig.timer.advance(A_WHILE);
    assertThat(rig.requests()).hasSize(1);
  }

  @Test
  void refusalAfterAnUnansweredRequestLeavesTheOutcomeUnknown() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));
    rig.fail(0, ErrorCode.UNAVAILABLE);
    rig.timer.advance(A_WHILE);

    rig.fail(1, ErrorCode.FORBIDDEN);

    assertThat(failureOf(result).isOutcomeUnknown()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"BAD_REQUEST", "INTERNAL"})
  void requestThatOneJobBreaksIsHalvedUntilOnlyThatOneFails(ErrorCode code) {
    PipelineRig rig = new PipelineRig(bounds(8, 1 << 20, 100));
    rig.disconnect();
    List<CompletableFuture<SubmitResult>> results =
        List.of("a", "b", "c", "poison", "e", "f", "g", "h").stream()
            .map(id -> rig.submit(job(id)))
            .toList();
    rig.connect();

    for (int i = 0; i < rig.requests().size(); i++) {
      if (rig.sentTaskIds().get(i).contains("poison")) {
        rig.fail(i, code);
      } else {
        rig.accept(i);
      }
      while (rig.requests().size() == i + 1 && rig.timer.pending() > 0) {
        rig.timer.runNext();
      }
    }

    assertThat(results.stream().filter(result -> !result.isCompletedExceptionally())).hasSize(7);
    assertThat(failureOf(results.get(3))).hasMessageContaining("orders/poison");
  }

  @Test
  void jobThatBreaksEveryRequestDoesNotHoldUpTheOthers() {
    rig.submit(job("poison"));
    rig.submit(job("b"));
    rig.fail(0, ErrorCode.INTERNAL);

    rig.timer.advance(Backoff.FIRST);

    assertThat(rig.sentTaskIds().get(1)).contains("b");
  }

  @Test
  void replyWithTooFewResultsIsNoAnswer() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    rig.tracker.last().answer(new SubmitReply(List.of()));
    assertThat(result).isNotDone();
    rig.timer.advance(A_WHILE);

    assertThat(rig.requests()).hasSize(2);
  }

  private static SubmitResult busy(String taskId) {
    return SubmitResult.rejected(taskId, RejectReason.UNAVAILABLE, "the store is out of reach");
  }

  private static JobSubmitException failureOf(CompletableFuture<SubmitResult> result) {
    assertThat(result).isCompletedExceptionally();
    try {
      throw new AssertionError("no failure: " + result.join());
    } catch (CompletionException e) {
      return (JobSubmitException) e.getCause();
    }
  }
}
