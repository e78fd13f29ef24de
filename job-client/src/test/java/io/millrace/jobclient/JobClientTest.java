package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.api.CancelResult;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.SubmitResult;
import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.Answers;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.fake.FakeSession;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class JobClientTest {
  private static final Job JOB = Job.builder("orders", "close:42").build();

  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final FakeConnector connector = new FakeConnector();
  private final ClientResources resources =
      new ClientResources(clock, timer, Runnable::run, Runnable::run, connector, new Random(1));
  private final JobClient client = builder().build();

  private JobClientBuilder builder() {
    return JobClient.builder()
        .trackers("127.0.0.1:35001")
        .clientGroup("billing")
        .closeTimeout(Duration.ZERO)
        .resources(resources);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void submitReturnsTheTrackersAnswer() throws Exception {
    CompletableFuture<SubmitResult> result = inBackground(() -> client.submit(JOB));

    awaitCalls(1);
    connector.session().last().answer(new SubmitReply(List.of(SubmitResult.accepted("close:42"))));

    assertThat(result.get()).matches(Answers.accepted("close:42"));
  }

  @Test
  void submitAllKeepsTheOrderOfTheJobsOverManyRequests() throws Exception {
    List<Job> jobs =
        IntStream.range(0, 2_500).mapToObj(i -> Job.builder("orders", "t" + i).build()).toList();
    CompletableFuture<List<SubmitResult>> results = inBackground(() -> client.submitAll(jobs));

    await()
        .until(
            () -> {
              connector.session().calls().forEach(JobClientTest::acceptAll);
              return results.isDone();
            });

    assertThat(results.get().stream().map(SubmitResult::taskId))
        .containsExactlyElementsOf(jobs.stream().map(Job::taskId).toList());
    assertThat(connector.session().calls())
        .allSatisfy(
            call ->
                assertThat(((SubmitRequest) call.request()).submissions())
                    .hasSizeBetween(1, SubmitRequest.MAX_JOBS));
  }

  @Test
  void submitAllOfNothingAsksNothing() {
    assertThat(client.submitAll(List.of())).isEmpty();
    assertThat(connector.session().calls()).isEmpty();
  }

  @Test
  void submitAllTellsWhichJobsWereAnswered() {
    List<Job> jobs =
        IntStream.range(0, 65).mapToObj(i -> Job.builder("orders", "job-" + i).build()).toList();
    CompletableFuture<List<SubmitResult>> results = inBackground(() -> client.submitAll(jobs));
    awaitCalls(1);
    acceptAll(connector.session().last());
    awaitCalls(2);
    connector.session().last().fail(ErrorCode.FORBIDDEN, "planned");

    assertThatThrownBy(results::get)
        .cause()
        .isInstanceOfSatisfying(
            JobSubmitException.class,
            e -> {
              assertThat(e.settled()).hasSize(64).last().matches(Answers.accepted("job-63"));
              assertThat(e.isOutcomeUnknown()).isFalse();
            })
        .hasMessageContaining("64 of 65 jobs were answered")
        .hasMessageContaining("planned");
  }

  @Test
  void submitSurvivesTheLossOfTheTrackerUnderTheSameId() throws Exception {
    CompletableFuture<SubmitResult> result = client.submitAsync(JOB);
    SubmitRequest first = (SubmitRequest) connector.session().last().request();

    connector.down();
    timer.advance(Duration.ofSeconds(5));
    assertThat(result).isNotDone();
    connector.up();
    timer.advance(Duration.ofSeconds(15));

    assertThat(connector.sessions()).hasSize(2);
    assertThat(connector.session().last().request()).isEqualTo(first);
    acceptAll(connector.session().last());
    assertThat(result.get()).matches(Answers.accepted("close:42"));
  }

  @Test
  void submitWithoutATrackerSaysWhichOnesWereTriedAndWhyTheyFailed() {
    connector.down();
    CompletableFuture<SubmitResult> result = client.submitAsync(JOB);

    timer.advance(Duration.ofSeconds(30));

    assertThatThrownBy(result::get)
        .cause()
        .isInstanceOf(JobSubmitException.class)
        .hasMessageContaining("orders/close:42")
        .hasMessageContaining("127.0.0.1:35001")
        .hasMessageContaining("cannot connect to");
  }

  @Test
  void interruptedSubmitKeepsTheFlagAndSaysThatTheOutcomeIsUnknown() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> client.submit(JOB))
        .isInstanceOfSatisfying(
            JobSubmitException.class, e -> assertThat(e.getMessage()).contains("interrupted"));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void nullIsRefusedBeforeAnythingIsSent() {
    Job withoutTaskId =
        new Job(
            "orders",
            null,
            new Schedule.Once(null, null),
            Map.of(),
            Job.DEFAULT_PRIORITY,
            null,
            RetryPolicy.DEFAULT,
            null,
            null,
            null,
            false,
            false,
            false,
            null);
    List<Job> jobs = List.of(JOB, withoutTaskId);

    assertThatThrownBy(() -> client.submit(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> client.submitAll(jobs))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("taskId");
    assertThat(connector.session().calls()).isEmpty();
  }

  @Test
  void feedbackIsRefusedBeforeAnythingIsSentUnlessTheClientHasAGroupOfItsOwn() {
    Job told = Job.builder("orders", "close").feedback(true).build();
    String setting = "JobClient.builder().clientGroup(";
    try (JobClient nameless = nameless()) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> nameless.submit(told),
              () -> nameless.submitAsync(told),
              () -> nameless.submitAll(List.of(JOB, told)))) {
        assertThatThrownBy(call)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith("job orders/close asks for feedback")
            .hasMessageContaining(setting);
      }
      assertThatThrownBy(() -> nameless.onResult(result -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(setting);
      assertThat(connector.session().calls()).isEmpty();

      nameless.submitAsync(JOB);

      assertThat(connector.session().calls()).hasSize(1);
    }
  }

  private JobClient nameless() {
    return JobClient.builder()
        .trackers("127.0.0.1:35001")
        .closeTimeout(Duration.ZERO)
        .resources(resources)
        .build();
  }

  @Test
  void jobsTheTrackerWouldRejectAreSentForItToJudge() {
    client.submitAsync(Job.builder("", "").cron("nonsense").priority(-1).build());

    assertThat(connector.session().calls()).hasSize(1);
  }

  @Test
  void callbackMaySubmitWhileTheBoundIsReached() {
    JobClient bounded = builder().maxJobsInFlight(1).build();
    List<CompletableFuture<SubmitResult>> more = new ArrayList<>();
    bounded
        .submitAsync(JOB)
        .thenAccept(
            unused -> {
              more.add(bounded.submitAsync(Job.builder("orders", "b").build()));
              more.add(bounded.submitAsync(Job.builder("orders", "c").build()));
            });

    acceptAll(connector.session().last());

    assertThat(more).hasSize(2);
    assertThat(bounded.toString()).contains("connected to the tracker at 127.0.0.1:35001");
    bounded.close();
    assertThat(more).allSatisfy(future -> assertThat(future).isCompletedExceptionally());
  }

  @Test
  void cancelIsRepeatedUntilItIsAnswered() throws Exception {
    CompletableFuture<CancelResult> result =
        inBackground(() -> client.cancel("orders", "close:42"));
    awaitCalls(1);

    connector.session().last().fail(ErrorCode.UNAVAILABLE, "the store is out of reach");
    timer.advance(Duration.ofSeconds(1));
    assertThat(connector.session().calls().stream().map(FakeSession.Call::request))
        .containsExactly(
            new CancelRequest("orders", "close:42"), new CancelRequest("orders", "close:42"));
    connector.session().last().answer(new CancelResult(true, 3, 1));

    assertThat(result.get()).isEqualTo(new CancelResult(true, 3, 1));
  }

  @Test
  void cancelGoesOutAtOnceWhenATrackerIsThereAgain() {
    connector.down();
    CompletableFuture<CancelResult> result =
        inBackground(() -> client.cancel("orders", "close:42"));
    await().until(() -> timer.pending() >= 2);

    connector.up();
    timer.advance(Duration.ofSeconds(10));

    awaitCalls(1);
    connector.session().last().answer(new CancelResult(false, 0, 0));
    assertThat(result).succeedsWithin(Duration.ofSeconds(5));
  }

  @Test
  void cancelWithoutAnswerNamesTheJobTheTrackersAndTheFailure() {
    connector.down();
    CompletableFuture<CancelResult> result =
        inBackground(() -> client.cancel("orders", "close:42"));
    await()
        .until(
            () -> {
              timer.advance(Duration.ofSeconds(1));
              return result.isDone();
            });

    assertThatThrownBy(result::get)
        .cause()
        .isInstanceOf(JobCallException.class)
        .hasMessageContaining("orders/close:42")
        .hasMessageContaining("127.0.0.1:35001")
        .hasMessageContaining("cannot connect");
  }

  @Test
  void cancelThatTheTrackerRefusesFailsAtOnce() {
    CompletableFuture<CancelResult> result =
        inBackground(() -> client.cancel("orders", "close:42"));
    awaitCalls(1);

    connector.session().last().fail(ErrorCode.FORBIDDEN, "planned");

    assertThatThrownBy(result::get).cause().hasMessageContaining("planned");
  }

  @Test
  void feedbackReachesTheListenerAndIsAcknowledged() {
    List<TriggerResult> heard = new ArrayList<>();
    client.onResult(heard::add);
    TriggerResult result =
        new TriggerResult(
            "orders", "a", Instant.EPOCH, 0, Disposition.DEAD, 4, "boom", Instant.EPOCH);

    assertThat(connector.ask(new FeedbackRequest(List.of(result))).toCompletableFuture())
        .isCompletedWithValue(new FeedbackReply(1));
    assertThat(heard).containsExactly(result);
  }

  @Test
  void otherRequestsOfATrackerAreUnsupported() {
    assertThatThrownBy(
            () -> connector.ask(new CancelRequest("orders", "a")).toCompletableFuture().get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
  }

  @Test
  void awaitConnectedSaysWhyThereIsNoTracker() {
    client.awaitConnected(Duration.ofMillis(1));
    connector.down();

    assertThatThrownBy(() -> client.awaitConnected(Duration.ofMillis(1)))
        .isInstanceOf(JobCallException.class)
        .hasMessageContaining("127.0.0.1:35001");
  }

  @Test
  void closedClientLeavesTheGivenPartsOpenAndNothingBehind() {
    client.submitAsync(JOB);

    client.close();
    client.close();

    assertThat(connector.isClosed()).isFalse();
    assertThat(connector.session().isOpen()).isFalse();
    assertThat(timer.pending()).isZero();
    assertThatThrownBy(() -> client.submitAsync(JOB)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closeWaitsForSubmitsUnderWay() throws Exception {
    JobClient patient = builder().closeTimeout(Duration.ofSeconds(20)).build();
    CompletableFuture<SubmitResult> result = patient.submitAsync(JOB);
    CompletableFuture<Void> closing = CompletableFuture.runAsync(patient::close);

    acceptAll(connector.session().last());

    closing.get();
    assertThat(result).isCompletedWithValueMatching(Answers.accepted("close:42"));
  }

  private void awaitCalls(int count) {
    await().until(() -> connector.session().calls().size() >= count);
  }

  private static <T> CompletableFuture<T> inBackground(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work);
  }

  private static void acceptAll(FakeSession.Call call) {
    SubmitRequest request = (SubmitRequest) call.request();
    call.answer(
        new SubmitReply(
            request.submissions().stream()
                .map(submission -> SubmitResult.accepted(submission.job().taskId()))
                .toList()));
  }
}
