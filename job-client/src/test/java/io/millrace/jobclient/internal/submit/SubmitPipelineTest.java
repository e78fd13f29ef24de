package io.millrace.jobclient.internal.submit;

import static io.millrace.jobclient.internal.submit.PipelineRig.bounds;
import static io.millrace.jobclient.internal.submit.PipelineRig.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.jobclient.fake.Answers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How jobs are gathered into requests. */
class SubmitPipelineTest {

  @Test
  void idleClientSendsAtOnce() {
    PipelineRig rig = new PipelineRig();

    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a"));
    rig.accept(0);
    assertThat(result).isCompletedWithValueMatching(Answers.accepted("a"));
  }

  @Test
  void whatGathersDuringARequestGoesWithTheNextOne() {
    PipelineRig rig = new PipelineRig();
    List.of("a", "b", "c").forEach(id -> rig.submit(job(id)));
    assertThat(rig.sentTaskIds()).containsExactly(List.of("a"));

    rig.accept(0);

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a"), List.of("b", "c"));
  }

  @Test
  void fullBatchDoesNotWaitForTheRequestUnderWay() {
    PipelineRig rig = new PipelineRig(bounds(2, 1 << 20, 100));

    List.of("a", "b", "c").forEach(id -> rig.submit(job(id)));

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a"), List.of("b", "c"));
  }

  @Test
  void largeBatchDoesNotWaitForTheRequestUnderWayEither() {
    PipelineRig rig = new PipelineRig(bounds(1_000, 1 << 20, 1_000));
    rig.submit(job("first"));

    IntStream.range(0, 64).forEach(i -> rig.submit(job("job-" + i)));

    assertThat(rig.requests()).hasSize(2);
    assertThat(rig.sentTaskIds().get(1)).hasSize(64);
  }

  @Test
  void whatIsGatheredGoesInOneRequest() {
    PipelineRig rig = new PipelineRig();
    List.of("a", "b", "c").forEach(id -> rig.pipeline.gather(job(id), Runnable::run));
    assertThat(rig.requests()).isEmpty();

    rig.pipeline.sendGathered();

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a", "b", "c"));
  }

  @Test
  void jobThatFindsNoRoomSendsWhatHasGatheredAndHoldsIt() {
    PipelineRig rig = new PipelineRig(bounds(100, 1 << 20, 2));
    List.of("a", "b").forEach(id -> rig.pipeline.gather(job(id), Runnable::run));
    CompletableFuture<CompletableFuture<SubmitResult>> third =
        CompletableFuture.supplyAsync(() -> rig.pipeline.gather(job("c"), Runnable::run));
    await().until(() -> rig.requests().size() == 1);

    rig.accept(0);

    third.join();
    rig.pipeline.sendGathered();
    assertThat(rig.sentTaskIds()).containsExactly(List.of("a", "b"), List.of("c"));
  }

  @Test
  void requestsUnderWayAreBounded() {
    PipelineRig rig = new PipelineRig(bounds(2, 1 << 20, 100));
    List.of("a", "b", "c", "d", "e", "f").forEach(id -> rig.submit(job(id)));
    assertThat(rig.sentTaskIds()).containsExactly(List.of("a"), List.of("b", "c"));

    rig.accept(1);

    assertThat(rig.sentTaskIds())
        .containsExactly(List.of("a"), List.of("b", "c"), List.of("d", "e"));
  }

  @Test
  void requestsAreCutByBytes() {
    PipelineRig rig = new PipelineRig(bounds(100, 10_000, 100));
    rig.disconnect();
    List.of("a", "b", "c").forEach(id -> rig.submit(sized(id, 3_000)));

    rig.connect();

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a", "b"));
    rig.accept(0);
    assertThat(rig.sentTaskIds()).containsExactly(List.of("a", "b"), List.of("c"));
  }

  @Test
  void jobLargerThanARequestGoesAlone() {
    PipelineRig rig = new PipelineRig(bounds(100, 10_000, 100));
    rig.disconnect();
    rig.submit(job("a"));
    rig.submit(sized("large", 50_000));
    rig.submit(job("b"));

    rig.connect();
    rig.accept(0);
    rig.accept(1);

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a"), List.of("large"), List.of("b"));
  }

  @Test
  void jobThatNoFrameCarriesIsRejectedAloneAndInTheTrackersWords() {
    PipelineRig rig = new PipelineRig();
    rig.disconnect();
    CompletableFuture<SubmitResult> small = rig.submit(job("small"));
    CompletableFuture<SubmitResult> large = rig.submit(sized("large", 8 << 20));

    rig.connect();
    rig.accept(0);

    assertThat(large)
        .isCompletedWithValue(
            SubmitResult.rejected(
                "large",
                RejectReason.PARAMS_TOO_LARGE,
                "the parameters have 8388612 bytes of UTF-8 in total; at most 1048576 are"
                    + " allowed"));
    assertThat(small).isCompletedWithValueMatching(Answers.accepted("small"));
    assertThat(rig.sentTaskIds()).containsExactly(List.of("small"));
  }

  @Test
  void retryPolicyThatCannotBeWrittenIsRejectedAlone() {
    PipelineRig rig = new PipelineRig();
    Job job =
        Job.builder("orders", "a")
            .retry(
                new io.millrace.api.RetryPolicy(
                    1, Duration.ZERO, Duration.ZERO, Double.NaN, 0, List.of()))
            .build();

    SubmitResult result = rig.submit(job).join();

    assertThat(result.status()).isEqualTo(SubmitStatus.REJECTED);
    assertThat(result.reason()).isEqualTo(RejectReason.BAD_RETRY_POLICY);
    assertThat(result.message()).contains("NaN");
    assertThat(rig.requests()).isEmpty();
  }

  @Test
  void everyJobGetsTheResultOfItsPlace() {
    PipelineRig rig = new PipelineRig();
    rig.disconnect();
    List<CompletableFuture<SubmitResult>> results =
        List.of("a", "b", "c").stream().map(id -> rig.submit(job(id))).toList();

    rig.connect();
    rig.answer(
        0,
        id ->
            switch (id) {
              case "a" -> SubmitResult.duplicate("a", "lives");
              case "b" -> SubmitResult.rejected("b", RejectReason.BAD_CRON, "at 3");
              default -> SubmitResult.replaced(id);
            });

    assertThat(results.stream().map(result -> result.join().status()))
        .containsExactly(SubmitStatus.DUPLICATE, SubmitStatus.REJECTED, SubmitStatus.REPLACED);
  }

  @Test
  void jobsOfOneKeyAreNeverUnderWayTogether() {
    PipelineRig rig = new PipelineRig();
    CompletableFuture<SubmitResult> first = rig.submit(job("a"));
    CompletableFuture<SubmitResult> second = rig.submit(job("a"));
    rig.submit(job("b"));

    rig.accept(0);

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a"), List.of("a", "b"));
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
  }

  @Test
  void sameTaskIdOfAnotherNodeGroupIsAnotherKey() {
    PipelineRig rig = new PipelineRig();
    rig.disconnect();
    rig.submit(Job.builder("orders", "a").build());
    rig.submit(Job.builder("billing", "a").build());

    rig.connect();

    assertThat(rig.sentTaskIds()).containsExactly(List.of("a", "a"));
  }

  @Test
  void closedPipelineRefusesJobsAndFailsWhatIsLeft() {
    PipelineRig rig = new PipelineRig();
    CompletableFuture<SubmitResult> sent = rig.submit(job("a"));

    rig.pipeline.close(Duration.ZERO);

    assertThatThrownBy(sent::join).hasMessageContaining("the client was closed");
    assertThatThrownBy(() -> rig.submit(job("b")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the client is closed");
    assertThat(rig.timer.pending()).isZero();
  }

  private static Job sized(String taskId, int bytes) {
    return Job.builder("orders", taskId).param("body", "x".repeat(bytes)).build();
  }
}
