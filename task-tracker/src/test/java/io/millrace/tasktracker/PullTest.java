package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.connected;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.RpcException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PullTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void everyPullSaysHowLongTheProcessHasBeenThere() {
    HandDrivenWorker worker = HandDrivenWorker.with(context -> Result.success()).connect();
    assertThat(worker.tracker.lastPull().aliveMillis()).isZero();
    assertThat(worker.tracker.lastPull().workerSlots()).isEqualTo(4);

    worker.advance(Duration.ofMillis(1_500));
    worker.tracker.answer(1, PullReply.of(List.of(), List.of()));
    assertThat(worker.tracker.lastPull().aliveMillis()).isEqualTo(1_500);
  }

  @Test
  void connectingPullsAtOnceForAllSlots() {
    HandDrivenWorker worker = connected(4);

    assertThat(worker.tracker.lastPull())
        .usingRecursiveComparison()
        .ignoringFields("aliveMillis", "workerSlots", "begun", "features", "labels")
        .isEqualTo(new PullRequest(1, 4, List.of(), List.of()));
  }

  @Test
  void pullSaysThatTheWorkerKnowsParts() {
    assertThat(connected(4).tracker.lastPull().features()).containsExactly("parts");
    assertThat(connected(4).tracker.lastPull().labels()).containsExactly("eu");
  }

  @Test
  void emptyAnswerAfterASecondIsFollowedByAPullAtOnce() {
    HandDrivenWorker worker = connected(4);

    worker.advance(SECOND);
    worker.answerEmpty();

    assertThat(worker.tracker.lastPull().number()).isEqualTo(2);
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(4);
  }

  @Test
  void emptyAnswersThatComeAtOnceNeverMakeTheWorkerSpin() {
    HandDrivenWorker worker = connected(4);

    for (int i = 0; i < 50; i++) {
      worker.answerEmpty();
      worker.advance(Duration.ofMillis(100));
    }

    assertThat(worker.tracker.pulls).hasSizeLessThanOrEqualTo(7);
  }

  @Test
  void slotsThatAnAnswerLeavesAreAskedForAgainAtOnce() {
    HandDrivenWorker worker = connected(4);

    worker.tracker.assign(execution(11));

    assertThat(worker.tracker.lastPull())
        .usingRecursiveComparison()
        .ignoringFields("aliveMillis", "workerSlots", "begun", "features", "labels")
        .isEqualTo(new PullRequest(2, 3, List.of(), List.of(11L)));
  }

  @Test
  void freedSlotIsAskedForAtOnceBesideTheParkedPull() {
    HandDrivenWorker worker = connected(4);
    worker.tracker.assign(execution(11));

    worker.runOneInvocation();

    PullRequest newest = worker.tracker.lastPull();
    assertThat(newest.number()).isEqualTo(3);
    assertThat(newest.slots()).isEqualTo(1);
    assertThat(newest.openPulls()).containsExactly(2L);
  }

  @Test
  void carriedSlotsStayReservedByTheNewerPull() {
    HandDrivenWorker worker = connected(4);
    worker.tracker.assign(execution(11));
    worker.runOneInvocation();

    worker.tracker.answer(2, new PullReply(PullStatus.SERVED, List.of(), 3L, List.of(), null));
    worker.tracker.answer(3, PullReply.of(List.of(executions(20, 4)), List.of()));

    assertThat(worker.invocations).hasSize(4);
    assertThat(worker.results()).extracting(ExecutionResult::executionId).containsExactly(11L);
  }

  @Test
  void workerWithoutAFreeSlotBeatsEverySecondAndListsWhatItHolds() {
    HandDrivenWorker worker = connected(2);
    worker.tracker.assign(executions(11, 2));
    int before = worker.tracker.pulls.size();

    for (int i = 0; i < 5; i++) {
      worker.advance(SECOND);
      worker.answerEmpty();
    }

    assertThat(worker.tracker.pulls).hasSize(before + 5);
    assertThat(worker.tracker.lastPull().slots()).isZero();
    assertThat(worker.tracker.lastPull().held()).containsExactly(11L, 12L);
  }

  @Test
  void executionIsHeldUntilItsResultIsAcknowledged() {
    HandDrivenWorker worker = connected(2);
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(execution(11));
    worker.runOneInvocation();

    assertThat(worker.tracker.lastPull().held()).containsExactly(11L);

    worker.tracker.acceptCompletes();
    worker.tracker.assign(execution(12));
    worker.advance(Duration.ofSeconds(2));
    assertThat(worker.tracker.lastPull().held()).containsExactly(12L);
  }

  @Test
  void executionThatIsHeldIsNotStartedTwice() {
    HandDrivenWorker worker = connected(4);
    worker.tracker.assign(execution(11));

    worker.tracker.assign(execution(11));

    assertThat(worker.invocations).hasSize(1);
    assertThat(worker.results()).isEmpty();
  }

  @Test
  void unansweredPullIsGivenUpAndItsSlotsAreAskedForAgain() {
    HandDrivenWorker worker = connected(4);

    worker.advance(Duration.ofSeconds(6));

    PullRequest newest = worker.tracker.lastPull();
    assertThat(newest.slots()).isEqualTo(4);
    assertThat(newest.openPulls()).doesNotContain(1L);
  }

  @Test
  void pullWhoseAnswerIsLateIsFollowedByBeats() {
    HandDrivenWorker worker = connected(4);

    worker.advance(Duration.ofSeconds(4));

    assertThat(worker.tracker.pulls).hasSizeBetween(3, 5);
    assertThat(worker.tracker.lastPull().slots()).isZero();
    assertThat(worker.tracker.lastPull().openPulls()).contains(1L);
  }

  @Test
  void answerToAGivenUpPullStartsNothingAndIsHandedBack() {
    HandDrivenWorker worker = connected(4);
    worker.advance(Duration.ofSeconds(6));

    worker.tracker.answer(1, PullReply.of(List.of(executions(11, 2)), List.of()));

    assertThat(worker.invocations).isEmpty();
    assertThat(worker.results())
        .allMatch(result -> result.outcome() == Outcome.NOT_STARTED)
        .extracting(ExecutionResult::executionId)
        .containsExactlyInAnyOrder(11L, 12L);
  }

  @Test
  void answerThatComesAfterTheLeaseStartsNothingAndIsHandedBack() {
    HandDrivenWorker worker = connected(4);
    worker.advance(Duration.ofSeconds(4));

    worker.tracker.answer(1, withLease(Duration.ofSeconds(4)));

    assertThat(worker.invocations).isEmpty();
    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.NOT_STARTED);
    worker.tracker.assign(executions(12, 4));
    assertThat(worker.invocations).as("its slots are free again").hasSize(4);
  }

  @Test
  void answerThatComesWithinTheLeaseIsStarted() {
    HandDrivenWorker worker = connected(4);
    worker.advance(Duration.ofSeconds(4));

    worker.tracker.answer(1, withLease(Duration.ofSeconds(15)));

    assertThat(worker.invocations).hasSize(1);
  }

  private static PullReply withLease(Duration lease) {
    return new PullReply(
        PullStatus.SERVED,
        List.of(execution(11)),
        null,
        List.of(),
        null,
        List.of(),
        List.of(),
        lease.toMillis(),
        null,
        null);
  }

  @Test
  void lateAnswerDoesNotTouchAnExecutionThatIsHeld() {
    HandDrivenWorker worker = connected(4);
    worker.advance(Duration.ofSeconds(6));
    worker.tracker.assign(execution(11));

    worker.tracker.answer(1, PullReply.of(List.of(execution(11)), List.of()));

    assertThat(worker.results()).isEmpty();
    assertThat(worker.invocations).hasSize(1);
  }

  @Test
  void trackerThatAssignsTooMuchGetsTheExcessBack() {
    HandDrivenWorker worker = connected(2);

    worker.tracker.assign(executions(11, 3));

    assertThat(worker.invocations).hasSize(2);
    assertThat(worker.resultOf(13).outcome()).isEqualTo(Outcome.NOT_STARTED);
  }

  @Test
  void failedPullIsRepeatedAfterAPauseNotAtOnce() {
    HandDrivenWorker worker = connected(4);

    worker.tracker.fail(1, new RpcException(ErrorCode.UNAVAILABLE, "store is down"));
    worker.advance(Duration.ofMillis(900));
    assertThat(worker.tracker.pulls).hasSize(1);

    worker.advance(Duration.ofMillis(200));
    assertThat(worker.tracker.lastPull())
        .usingRecursiveComparison()
        .ignoringFields("aliveMillis", "workerSlots", "begun", "features", "labels")
        .isEqualTo(new PullRequest(2, 4, List.of(), List.of()));
  }

  @Test
  void lostConnectionGivesUpEveryPullAndTheNextOnePullsForAllSlots() {
    HandDrivenWorker worker = connected(4);
    worker.tracker.assign(execution(11));

    worker.tracker.disconnect();
    worker.advance(Duration.ofSeconds(10));
    int before = worker.tracker.pulls.size();
    worker.tracker.connect();

    assertThat(worker.tracker.pulls).hasSize(before + 1);
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(3);
    assertThat(worker.tracker.lastPull().openPulls()).isEmpty();
    assertThat(worker.tracker.lastPull().held()).containsExactly(11L);
  }

  @Test
  void movingToAnotherTrackerGivesUpThePullsOfTheOldOne() {
    HandDrivenWorker worker = connected(4);

    worker.tracker.connect();

    assertThat(worker.tracker.lastPull())
        .usingRecursiveComparison()
        .ignoringFields("aliveMillis", "workerSlots", "begun", "features", "labels")
        .isEqualTo(new PullRequest(2, 4, List.of(), List.of()));
    worker.tracker.fail(1, new RpcException(ErrorCode.UNAVAILABLE, "old connection closed"));
    worker.tracker.assign(execution(11));
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(3);
  }

  @Test
  void pullsThatAreGivenUpLeaveNothingBehind() {
    HandDrivenWorker worker = connected(4);

    worker.advance(Duration.ofHours(1));

    assertThat(worker.tracker.lastPull().openPulls()).hasSizeLessThanOrEqualTo(6);
    assertThat(worker.timer.pending()).isLessThanOrEqualTo(8);
  }

  @Test
  void nothingIsSentWhileDisconnected() {
    HandDrivenWorker worker = connected(4);
    worker.tracker.disconnect();
    int before = worker.tracker.requests.size();

    worker.advance(Duration.ofMinutes(1));

    assertThat(worker.tracker.requests).hasSize(before);
  }

  @Test
  void trackerThatIsNotTheOwnerSendsTheWorkerToTheOwner() {
    HandDrivenWorker worker = connected(4);

    worker.tracker.answer(1, PullReply.notOwner("other:35001"));

    assertThat(worker.tracker.preferred).containsExactly("other:35001");
    assertThat(worker.tracker.pulls).hasSize(1);
    worker.advance(Duration.ofMillis(1100));
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(4);
  }

  @Test
  void trackersThatNameEachOtherDoNotMakeTheWorkerSpin() {
    HandDrivenWorker worker = connected(4);

    for (int i = 0; i < 100; i++) {
      if (!worker.tracker.preferred.isEmpty() && worker.tracker.preferred.size() > i) {
        worker.tracker.disconnect();
        worker.tracker.connect();
      }
      worker.tracker.answer(worker.tracker.lastPull().number(), PullReply.notOwner("tracker-" + i));
      worker.advance(Duration.ofMillis(100));
    }

    assertThat(worker.tracker.preferred).hasSizeBetween(10, 22);
  }

  @Test
  void ownerThatCannotBeReachedIsAskedForAgainAndTheBeatsGoOn() {
    HandDrivenWorker worker = connected(4);

    for (int i = 1; i <= 50; i++) {
      worker.tracker.answer(worker.tracker.lastPull().number(), PullReply.notOwner("gone:35001"));
      worker.advance(Duration.ofMillis(200));
      assertThat(worker.tracker.lastPull().number()).isEqualTo(i + 1);
    }

    assertThat(worker.tracker.preferred).hasSizeBetween(10, 22).containsOnly("gone:35001");
  }

  @Test
  void ownerThatNobodyKnowsIsWaitedFor() {
    HandDrivenWorker worker = connected(4);

    worker.tracker.answer(1, PullReply.notOwner(null));
    worker.advance(Duration.ofMillis(200));

    assertThat(worker.tracker.preferred).isEmpty();
    assertThat(worker.tracker.lastPull().number()).isEqualTo(2);
  }

  @Test
  void trackerThatNamesNobodyForASecondIsLeftForAnother() {
    HandDrivenWorker worker = connected(4);

    for (int i = 1; i <= 5; i++) {
      assertThat(worker.tracker.preferred).isEmpty();
      worker.tracker.answer(i, PullReply.notOwner(null));
      worker.advance(Duration.ofMillis(200));
    }

    assertThat(worker.tracker.preferred).containsExactly("another");
  }

  @Test
  void tooManyUnacknowledgedResultsStopThePullForWorkButNotTheBeat() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.success()).slots(4).maxUnacknowledged(3).connect();
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 4));
    worker.runInvocations();

    assertThat(worker.tracker.lastPull().slots()).isEqualTo(1);
    assertThat(worker.tracker.lastPull().openPulls()).hasSize(2);

    worker.advance(Duration.ofSeconds(3));
    assertThat(worker.tracker.lastPull().slots()).isZero();
    assertThat(worker.tracker.lastPull().held()).hasSize(4);

    worker.tracker.acceptCompletes();
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(1);
    assertThat(worker.tracker.lastPull().held()).doesNotContain(11L);
  }

  @Test
  void slotsFreedInOneTurnShareOnePull() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.success()).slots(8).jobs(Runnable::run).connect();

    worker.tracker.assign(executions(11, 8));

    assertThat(worker.tracker.pulls).hasSizeLessThanOrEqualTo(3);
    assertThat(worker.results()).hasSize(8);
  }
}
