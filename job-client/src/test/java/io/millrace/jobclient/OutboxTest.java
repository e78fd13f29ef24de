package io.millrace.jobclient;

import static io.millrace.jobclient.OutboxRig.A_WHILE;
import static io.millrace.jobclient.OutboxRig.PATIENCE;
import static io.millrace.jobclient.OutboxRig.TIMEOUT;
import static io.millrace.jobclient.OutboxRig.job;
import static io.millrace.jobclient.OutboxRig.replacing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.Job;
import io.millrace.api.OutboxConfig;
import io.millrace.api.OutboxException;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TraceContext;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.internal.rpc.memory.SimulatedFrame;
import io.millrace.jobclient.fake.Answers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of requests that no tracker answers, in a client that has an outbox. */
class OutboxTest {
  private static final Duration SOON = Duration.ofMillis(100);

  @TempDir private Path home;
  private OutboxRig rig;

  @BeforeEach
  void start() {
    rig = new OutboxRig(home);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void jobIsSavedWhenNoTrackerIsConnectedForTheTimeOfPatience() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    rig.run(PATIENCE.minusMillis(1));
    assertThat(result).isNotDone();
    rig.run(Duration.ofMillis(1));

    assertThat(result.join().status()).isEqualTo(SubmitStatus.SAVED_LOCALLY);
    assertThat(result.join().isStored()).isFalse();
    assertThat(rig.client().saved()).isEqualTo(1);
  }

  @Test
  void laterJobsAreSavedAtOnce() {
    rig.run(PATIENCE);

    CompletableFuture<SubmitResult> result = rig.submit(job("a"));
    rig.run(Duration.ZERO);

    assertSaved(result);
  }

  @Test
  void trackerThatComesInTimeAnswersItself() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));
    rig.run(SOON);
    rig.up();
    rig.run(PATIENCE);

    assertThat(result).isCompletedWithValueMatching(Answers.accepted("a"));
    assertThat(rig.client().saved()).isZero();
    assertThat(rig.delivered).isEmpty();
  }

  @Test
  void savedJobIsDeliveredOnceTheTrackerIsThereAndTold() {
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));
    rig.run(PATIENCE);

    rig.up();
    rig.run(A_WHILE);

    assertSaved(result);
    assertThat(rig.tracker.log()).hasSize(1);
    assertThat(rig.client().saved()).isZero();
    assertThat(rig.delivered)
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.nodeGroup() + "/" + told.taskId()).isEqualTo("orders/a");
              assertThat(told.submitted()).matches(Answers.accepted("a"));
              assertThat(told.submit().job().taskId()).isEqualTo("a");
              assertThat(rig.tracker.log().get(0)).endsWith(told.submit().submissionId());
              assertThat(told.isAnswered()).isTrue();
            });
  }

  @Test
  void savedJobStaysPartOfItsTrace() {
    String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    rig.submit(Job.builder("orders", "a").traceParent(parent).traceState("vendor=1").build());
    rig.run(PATIENCE);

    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.delivered)
        .singleElement()
        .satisfies(
            told ->
                assertThat(told.submit().job().trace())
                    .isEqualTo(new TraceContext(parent, "vendor=1")));
  }

  @Test
  void savedJobIsStillForEachWorker() {
    Job job = Job.builder("orders", "a").broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build();
    rig.submit(job);
    rig.run(PATIENCE);

    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.delivered)
        .singleElement()
        .satisfies(told -> assertThat(told.submit().job()).isEqualTo(job));
  }

  @Test
  void jobWhoseAnswerIsLostIsSavedUnderItsIdAndNeverStoredTwice() {
    rig.up();
    rig.run(A_WHILE);
    rig.policy(cutting(parcel -> parcel.from().equals(OutboxRig.TRACKER)));
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));
    rig.run(SOON);
    assertThat(rig.tracker.log()).hasSize(1);
    rig.down();

    assertSaved(result);
    rig.policy(DeliveryPolicy.RELIABLE);
    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.tracker.log()).hasSize(1);
    assertThat(rig.delivered)
        .extracting(SavedJobOutcome::submitted)
        .allMatch(Answers.accepted("a"));
  }

  @Test
  void jobThatATrackerHoldsWithoutAnAnswerIsSavedAfterTheRequestTimeout() {
    rig.up();
    rig.run(A_WHILE);
    rig.policy(
        (parcel, random) ->
            parcel.isHandshake() ? SimulatedDelivery.AT_ONCE : SimulatedDelivery.DROPPED);
    CompletableFuture<SubmitResult> first = rig.submit(job("a"));
    rig.run(SOON);
    CompletableFuture<SubmitResult> behind = rig.submit(replacing("a"));
    CompletableFuture<SubmitResult> other = rig.submit(job("b"));

    rig.run(TIMEOUT.minus(SOON).minusMillis(1));
    assertThat(first).isNotDone();
    rig.run(Duration.ofMillis(1));

    assertSaved(first);
    assertSaved(behind);
    assertThat(other).isNotDone();
  }

  @Test
  void restartedProcessDeliversUnderTheSameIds() {
    rig.run(PATIENCE);
    IntStream.range(0, 5).forEach(i -> rig.submit(job("t" + i)));
    rig.run(Duration.ZERO);

    rig.restart();
    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.tracker.log())
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactly("orders/t0", "orders/t1", "orders/t2", "orders/t3", "orders/t4");
    assertThat(rig.delivered).hasSize(5);
    assertThat(rig.client().saved()).isZero();
  }

  @Test
  void killedProcessLosesNothingThatItSaidIsSaved() {
    rig.run(PATIENCE);
    List<CompletableFuture<SubmitResult>> results = new ArrayList<>();
    IntStream.range(0, 20).forEach(i -> results.add(rig.submit(job("t" + i))));
    rig.run(Duration.ZERO);
    results.forEach(OutboxTest::assertSaved);

    rig.killAndRestart();
    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.tracker.log()).hasSize(20);
  }

  @Test
  void savedScheduleSaysHowLongItHasWaitedAlsoAfterAKill() {
    rig.run(PATIENCE);
    rig.submit(Job.builder("orders", "poll").every(A_WHILE).build());
    rig.run(Duration.ofMinutes(7));

    rig.killAndRestart();
    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.tracker.waited("orders/poll"))
        .isBetween(Duration.ofMinutes(7), Duration.ofMinutes(7).plus(A_WHILE));
  }

  @Test
  void jobStoredBeforeAKillIsKnownAgainAfterIt() {
    rig.submit(job("a"));
    rig.run(PATIENCE);
    rig.up();
    rig.policy(cutting(parcel -> parcel.from().equals(OutboxRig.TRACKER)));
    rig.run(A_WHILE);
    assertThat(rig.tracker.log()).hasSize(1);
    assertThat(rig.delivered).isEmpty();

    rig.killAndRestart();
    rig.policy(DeliveryPolicy.RELIABLE);
    rig.run(A_WHILE);

    assertThat(rig.tracker.log()).hasSize(1);
    assertThat(rig.delivered)
        .extracting(SavedJobOutcome::submitted)
        .singleElement()
        .matches(Answers.accepted("a"));
  }

  @Test
  void laterRequestsOfAKeyGoThroughTheOutboxAndOthersDoNot() {
    CompletableFuture<SubmitResult> first = rig.submit(job("a"));
    rig.run(PATIENCE);
    rig.tracker.verdict(job -> job.taskId().equals("a") ? busy("a") : null);
    rig.up();
    rig.run(A_WHILE);

    CompletableFuture<SubmitResult> replace = rig.submit(replacing("a"));
    CompletableFuture<CancelResult> cancel = rig.client().async().cancel("orders", "a");
    CompletableFuture<SubmitResult> again = rig.submit(job("a"));
    CompletableFuture<SubmitResult> other = rig.submit(job("b"));
    rig.run(SOON);

    assertSaved(first);
    assertSaved(replace);
    assertThat(cancel.join()).isEqualTo(CancelResult.keptInOutbox());
    assertSaved(again);
    assertThat(other).isCompletedWithValueMatching(Answers.accepted("b"));

    rig.tracker.verdict(job -> null);
    rig.run(A_WHILE);
    assertThat(rig.delivered)
        .extracting(told -> told.submitted() == null ? told.cancelled() : told.submitted().status())
        .containsExactly(
            SubmitStatus.ACCEPTED,
            SubmitStatus.REPLACED,
            new CancelResult(true, 1, 0),
            SubmitStatus.ACCEPTED);
    assertThat(rig.submit(replacing("a"))).isNotDone();
    rig.run(SOON);
    assertThat(rig.client().saved()).isZero();
  }

  @Test
  void cancelThatNoTrackerAnswersIsSavedAndDelivered() {
    CompletableFuture<CancelResult> cancel = rig.client().async().cancel("orders", "a");
    rig.run(PATIENCE);
    assertThat(cancel.join().savedLocally()).isTrue();

    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.tracker.log()).containsExactly("orders/a " + "cancel");
    assertThat(rig.delivered)
        .extracting(SavedJobOutcome::cancelled)
        .containsExactly(new CancelResult(false, 0, 0));
  }

  @Test
  void cancelWhoseAnswerIsLostIsSaved() {
    rig.up();
    rig.run(A_WHILE);
    rig.policy(cutting(parcel -> parcel.from().equals(OutboxRig.TRACKER)));
    CompletableFuture<CancelResult> cancel = rig.client().async().cancel("orders", "a");
    rig.run(SOON);
    rig.down();

    assertThat(cancel.join().savedLocally()).isTrue();
  }

  @Test
  void cancelComesBehindSubmitsUnderWay() {
    CompletableFuture<SubmitResult> submit = rig.submit(job("a"));
    CompletableFuture<CancelResult> cancel = rig.client().async().cancel("orders", "a");
    rig.up();
    rig.run(PATIENCE);

    assertThat(submit).isCompletedWithValueMatching(Answers.accepted("a"));
    assertThat(cancel).isCompletedWithValue(new CancelResult(true, 1, 0));
  }

  @Test
  void changesOfAJobThatIsStillInTheOutboxAreRefused() {
    rig.submit(job("a"));
    rig.run(PATIENCE);

    for (Runnable change :
        List.<Runnable>of(
            () -> rig.client().pause("orders", "a"),
            () -> rig.client().resume("orders", "a"),
            () -> rig.client().runNow("orders", "a"))) {
      assertThatThrownBy(change::run)
          .isInstanceOfSatisfying(
              JobCallException.class, e -> assertThat(e.isOutcomeUnknown()).isFalse())
          .hasMessageContaining("orders/a")
          .hasMessageContaining("still in the outbox");
    }
  }

  @Test
  void finalRejectionIsRemovedAndTold() {
    rig.submit(job("a"));
    rig.run(PATIENCE);
    SubmitResult bad = SubmitResult.rejected("a", RejectReason.BAD_CRON, "position 3");
    rig.tracker.verdict(job -> bad);

    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.delivered).extracting(SavedJobOutcome::submitted).containsExactly(bad);
    assertThat(rig.client().saved()).isZero();
  }

  @Test
  void unavailableIsRetriedForAsLongAsItTakes() {
    rig.submit(job("a"));
    rig.run(PATIENCE);
    rig.tracker.verdict(job -> busy("a"));
    rig.up();
    rig.run(Duration.ofHours(1));
    assertThat(rig.client().saved()).isEqualTo(1);
    assertThat(rig.tracker.requests()).isBetween(600, 2_000);

    rig.tracker.verdict(job -> null);
    rig.run(A_WHILE);

    assertThat(rig.delivered)
        .extracting(SavedJobOutcome::submitted)
        .singleElement()
        .matches(Answers.accepted("a"));
  }

  @Test
  void unavailableToTheEndIsSaved() {
    rig.up();
    rig.run(A_WHILE);
    rig.tracker.verdict(job -> busy("a"));
    CompletableFuture<SubmitResult> result = rig.submit(job("a"));

    rig.run(TIMEOUT);

    assertSaved(result);
  }

  @Test
  void manyAreDeliveredInFewRequests() {
    rig.run(PATIENCE);
    IntStream.range(0, 3_000).forEach(i -> rig.submit(job("t" + i)));
    rig.run(Duration.ZERO);
    assertThat(rig.client().saved()).isEqualTo(3_000);

    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.tracker.log()).hasSize(3_000);
    assertThat(rig.tracker.requests()).isLessThan(50);
    assertThat(rig.delivered).hasSize(3_000);
    assertThat(rig.client().saved()).isZero();
  }

  @Test
  void fullOutboxFailsASubmitAtOnceAndNamesTheBound() {
    rig.restart(new OutboxConfig(rig.directory(), 2, 1 << 20, Duration.ofDays(1)));
    rig.run(PATIENCE);
    List<CompletableFuture<SubmitResult>> results =
        List.of(rig.submit(job("a")), rig.submit(job("b")), rig.submit(job("c")));
    rig.run(Duration.ZERO);

    assertSaved(results.get(0));
    assertSaved(results.get(1));
    assertThatThrownBy(results.get(2)::get)
        .cause()
        .isInstanceOfSatisfying(
            JobSubmitException.class, e -> assertThat(e.isOutcomeUnknown()).isFalse())
        .hasMessageContaining("orders/c")
        .hasMessageContaining("maxEntries=2");
    CompletableFuture<CancelResult> cancel = rig.client().async().cancel("orders", "d");
    rig.run(Duration.ZERO);
    assertThatThrownBy(cancel::get).cause().hasMessageContaining("maxEntries=2");

    rig.up();
    rig.run(A_WHILE);
    CompletableFuture<SubmitResult> direct = rig.submit(job("c"));
    rig.run(SOON);
    assertThat(direct).isCompletedWithValueMatching(Answers.accepted("c"));
  }

  @Test
  void jobThatFindsNoRoomInTimeIsSavedBehindThoseOfItsKey() {
    rig.up();
    rig.restart(
        OutboxConfig.of(rig.directory()),
        builder -> builder.maxJobsInFlight(1).requestTimeout(Duration.ofMillis(50)));
    rig.run(SOON);
    rig.policy(
        (parcel, random) ->
            parcel.isHandshake() ? SimulatedDelivery.AT_ONCE : SimulatedDelivery.DROPPED);
    CompletableFuture<SubmitResult> first = rig.submit(job("a"));

    CompletableFuture<SubmitResult> second = rig.submit(replacing("a"));
    rig.run(Duration.ZERO);

    assertSaved(first);
    assertSaved(second);
    rig.policy(DeliveryPolicy.RELIABLE);
    rig.run(A_WHILE);
    assertThat(rig.delivered)
        .extracting(told -> told.submitted().status())
        .containsExactly(SubmitStatus.ACCEPTED, SubmitStatus.REPLACED);
  }

  @Test
  void tooOldIsGivenUpAndTold() {
    rig.restart(new OutboxConfig(rig.directory(), 10, 1 << 20, Duration.ofHours(1)));
    rig.submit(job("a"));
    rig.run(Duration.ofMinutes(59));
    assertThat(rig.delivered).isEmpty();

    rig.run(Duration.ofMinutes(5));

    assertThat(rig.client().saved()).isZero();
    assertThat(rig.delivered)
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.isAnswered()).isFalse();
              assertThat(told.submit().job()).isEqualTo(job("a"));
              assertThat(told.givenUp()).contains("PT1H");
            });
    rig.up();
    rig.run(A_WHILE);
    assertThat(rig.tracker.log()).isEmpty();
  }

  @Test
  void whatIsUnderWayIsTakenBackWhenItIsTooOld() {
    rig.restart(new OutboxConfig(rig.directory(), 10, 1 << 20, Duration.ofHours(1)));
    rig.submit(job("a"));
    rig.run(PATIENCE);
    rig.tracker.verdict(job -> busy("a"));
    rig.up();

    rig.run(Duration.ofMinutes(65));
    rig.tracker.verdict(job -> null);
    rig.run(A_WHILE);

    assertThat(rig.tracker.log()).isEmpty();
    assertThat(rig.delivered).hasSize(1).noneMatch(SavedJobOutcome::isAnswered);
    CompletableFuture<SubmitResult> direct = rig.submit(job("a"));
    rig.run(SOON);
    assertThat(direct).isCompletedWithValueMatching(Answers.accepted("a"));
  }

  @Test
  void closeSavesWhatIsUnanswered() {
    rig.up();
    rig.run(A_WHILE);
    rig.policy((parcel, random) -> SimulatedDelivery.DROPPED);
    CompletableFuture<SubmitResult> submit = rig.submit(job("a"));
    CompletableFuture<CancelResult> cancel = rig.client().async().cancel("orders", "a");
    CompletableFuture<CancelResult> other = rig.client().async().cancel("orders", "b");
    rig.run(SOON);

    rig.client().close();
    rig.run(Duration.ZERO);

    assertSaved(submit);
    assertThat(cancel.join().savedLocally()).isTrue();
    assertThat(other.join().savedLocally()).isTrue();
    rig.policy(DeliveryPolicy.RELIABLE);
    rig.restart();
    rig.run(A_WHILE);
    assertThat(rig.tracker.log()).hasSize(3);
    assertThat(rig.tracker.living("orders/a")).isNull();
  }

  @Test
  void closedClientLeavesNoTimerBehind() {
    rig.submit(job("a"));
    rig.run(PATIENCE);

    rig.client().close();
    rig.run(Duration.ZERO);

    assertThat(rig.timer.pending()).isZero();
    assertThatThrownBy(() -> rig.submit(job("b"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> rig.client().cancel("orders", "b"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void secondClientOnTheDirectoryIsRefused() {
    assertThatThrownBy(
            () -> JobClient.builder().trackers("127.0.0.1:1").outbox(rig.directory()).build())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(rig.directory().toString())
        .hasMessageContaining("in use");
  }

  @Test
  void damagedFileIsPutAsideAndTheClientStarts() throws IOException {
    rig.submit(job("a"));
    rig.run(PATIENCE);
    rig.client().close();
    Files.writeString(rig.directory().resolve("outbox.mv"), "this is no outbox".repeat(1_000));

    rig.restart();
    CompletableFuture<SubmitResult> result = rig.submit(job("b"));
    rig.run(PATIENCE);

    assertSaved(result);
    try (var files = Files.list(rig.directory())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .anyMatch(name -> name.contains("damaged"));
    }
  }

  @Test
  void entryThatCannotBeReadIsGivenUpAndHoldsUpNothing() {
    rig.client().close();
    try (var outbox =
        io.millrace.internal.outbox.Outbox.open(OutboxConfig.of(rig.directory()), rig.clock)) {
      outbox.add("orders/a", new JsonCodec().encode(job("a")));
    }
    rig.restart();
    rig.submit(job("a"));
    rig.up();
    rig.run(A_WHILE);

    assertThat(rig.delivered)
        .satisfiesExactly(
            told -> assertThat(told.givenUp()).contains("cannot be read"),
            told -> assertThat(told.submitted()).matches(Answers.accepted("a")));
  }

  @Test
  void refusedClientFailsAtOnceAndSavesNothing() {
    rig.wrongToken();
    rig.up();
    rig.restart();
    CompletableFuture<SubmitResult> waiting = rig.submit(job("a"));
    CompletableFuture<CancelResult> cancel = rig.client().async().cancel("orders", "b");
    rig.run(SOON);

    for (CompletableFuture<?> call : List.of(waiting, cancel, rig.submit(job("c")))) {
      assertThatThrownBy(call::get).cause().hasMessageContaining("requires no token");
    }
    assertThatThrownBy(() -> rig.client().cancel("orders", "d"))
        .isInstanceOf(JobCallException.class)
        .hasMessageContaining("requires no token");
    rig.run(A_WHILE);
    assertThat(rig.client().saved()).isZero();
    assertThat(rig.client().awaitDelivered(Duration.ZERO)).isTrue();
  }

  @Test
  void whatIsInTheOutboxStaysThereWhileTheClientIsRefused() {
    rig.submit(job("a"));
    rig.run(PATIENCE);
    rig.wrongToken();
    rig.up();
    rig.restart();

    rig.run(A_WHILE);

    assertThat(rig.client().saved()).isEqualTo(1);
    assertThat(rig.client().awaitDelivered(Duration.ofDays(1))).isFalse();
  }

  @Test
  void awaitDeliveredEndsAtOnceWhenNoTrackerIsThere() {
    rig.submit(job("a"));
    rig.run(PATIENCE);

    assertThat(rig.client().awaitDelivered(Duration.ofDays(1))).isFalse();
    rig.up();
    rig.run(A_WHILE);
    assertThat(rig.client().awaitDelivered(Duration.ZERO)).isTrue();
  }

  private static void assertSaved(CompletableFuture<SubmitResult> result) {
    assertThat(result).isCompleted();
    assertThat(result.join().status()).isEqualTo(SubmitStatus.SAVED_LOCALLY);
  }

  private static SubmitResult busy(String taskId) {
    return SubmitResult.rejected(taskId, RejectReason.UNAVAILABLE, "the store is out of reach");
  }

  private static DeliveryPolicy cutting(Predicate<SimulatedFrame> which) {
    return (parcel, random) ->
        !parcel.isHandshake() && which.test(parcel)
            ? SimulatedDelivery.CUT
            : SimulatedDelivery.AT_ONCE;
  }
}
