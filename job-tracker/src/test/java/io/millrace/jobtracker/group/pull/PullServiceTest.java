package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.DEQUE_CAPACITY;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PullServiceTest extends ServiceTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void whatIsDueIsAnsweredAtOnce() {
    submitDue("close");

    CompletableFuture<PullReply> reply = worker.pull(1);

    assertThat(reply).isDone();
    assertThat(worker.receive(reply)).extracting(Assignment::taskId).containsExactly("close");
    assertThat(executing("close")).singleElement().matches(e -> e.workerId().equals("worker-1"));
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void pullIsParkedForASecondAndAnsweredEmptyThen() {
    CompletableFuture<PullReply> reply = worker.pull(4);
    time.pass(Duration.ofMillis(999));
    assertThat(reply).isNotDone();
    time.pass(Duration.ofMillis(1));

    assertThat(reply)
        .isCompletedWithValue(
            new PullReply(
                PullStatus.SERVED,
                List.of(),
                null,
                List.of(),
                null,
                List.of(),
                List.of(),
                HandDrivenTracker.WORKER_LEASE.toMillis(),
                null,
                null));
  }

  @Test
  void answerReportsHowLongAfterTheArrivalOfThePullItsLeasesBegan() {
    submitDue("at-once");
    CompletableFuture<PullReply> first = worker.pull(1);
    assertThat(first).isCompletedWithValueMatching(reply -> reply.leasedAfterMillis() == 0);
    worker.receive(first);

    CompletableFuture<PullReply> parked = worker.pull(1);
    time.pass(Duration.ofMillis(300));
    submitDue("later");
    assertThat(parked).isCompletedWithValueMatching(reply -> reply.leasedAfterMillis() == 300);
  }

  @Test
  void freeSlotsAreThoseOfTheParkedPulls() {
    assertThat(tracker.desk().freeSlots()).isZero();
    worker.pull(4);
    tracker.worker("worker-2").pull(3);
    assertThat(tracker.desk().freeSlots()).isEqualTo(7);

    tracker.submit(job("close").build());
    tracker.load();
    assertThat(tracker.desk().freeSlots()).as("one of the two pulls is answered").isIn(3, 4);
    time.pass(Duration.ofSeconds(1));
    assertThat(tracker.desk().freeSlots()).isZero();
  }

  /** LTS took one second and a half on average: a pull set off the load that the next pull met. */
  @Test
  void parkedPullIsAnsweredInTheMillisecondInWhichATriggerFallsDue() {
    tracker.submit(job("close").at(inMillis(730)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(1);

    time.pass(Duration.ofMillis(729));
    assertThat(reply).isNotDone();
    time.pass(Duration.ofMillis(1));

    assertThat(worker.receive(reply)).hasSize(1);
    assertThat(executing("close")).singleElement().matches(e -> e.claimedAt() == e.dueAt());
  }

  @Test
  void parkedPullIsAnsweredOnceWhatWasJustSubmittedIsLoaded() {
    CompletableFuture<PullReply> reply = worker.pull(1);
    time.pass(Duration.ofMillis(400));
    tracker.submit(job("close").build());
    tracker.load();

    assertThat(worker.receive(reply)).hasSize(1);
  }

  @Test
  void pullWithoutSlotsIsAHeartbeatAndLeavesTheParkedPullWaiting() {
    CompletableFuture<PullReply> parked = worker.pull(1);

    CompletableFuture<PullReply> beat = worker.pull(0, List.of(1L));
    submitDue("close");

    assertThat(beat).isDone();
    assertThat(beat.join().assignments()).isEmpty();
    assertThat(worker.receive(parked)).hasSize(1);
  }

  @Test
  void newerPullTakesTheSlotsOfTheParkedOneOver() {
    CompletableFuture<PullReply> first = worker.pull(1);
    CompletableFuture<PullReply> second = worker.pull(2, List.of(1L));
    submitDue("a", "b", "c", "d");

    assertThat(first).isDone();
    assertThat(first.join().carriedTo()).isEqualTo(2);
    assertThat(first.join().assignments()).isEmpty();
    assertThat(worker.receive(second)).hasSize(3);
    assertThat(second.join().carriedTo()).isNull();
  }

  @Test
  void slotsOfAPullThatTheWorkerHasGivenUpAreNotTakenOver() {
    CompletableFuture<PullReply> givenUp = worker.pull(3);
    CompletableFuture<PullReply> second = worker.pull(1, List.of());
    submitDue("a", "b", "c", "d");

    assertThat(givenUp.join().carriedTo()).isNull();
    assertThat(worker.receive(second)).hasSize(1);
  }

  @Test
  void heartbeatThatNoLongerWaitsForTheParkedPullGivesItUp() {
    CompletableFuture<PullReply> parked = worker.pull(3);
    worker.pull(0, List.of());
    submitDue("a");

    assertThat(parked).isDone();
    assertThat(parked.join().assignments()).isEmpty();
    assertThat(waiting("a")).hasSize(1);
  }

  @Test
  void pullOfAnOldNumberIsAnsweredEmptyAndTakesNobodysPlace() {
    CompletableFuture<PullReply> parked = worker.pull(5, 1, List.of());

    CompletableFuture<PullReply> late = worker.pull(4, 1, List.of());
    CompletableFuture<PullReply> again = worker.pull(5, 1, List.of());
    submitDue("a", "b", "c");

    assertThat(late.join().assignments()).isEmpty();
    assertThat(again.join().assignments()).isEmpty();
    assertThat(worker.receive(parked)).hasSize(1);
  }

  @Test
  void workIsDealtOutEvenlyAndInOrder() {
    CompletableFuture<PullReply> one = worker.pull(2);
    CompletableFuture<PullReply> two = tracker.worker("worker-2").pull(2);
    tracker.submit(
        job("late").priority(200).build(),
        job("first").priority(1).build(),
        job("second").priority(2).build());
    tracker.load();

    assertThat(one.join().assignments())
        .extracting(Assignment::taskId)
        .containsExactly("first", "late");
    assertThat(two.join().assignments()).extracting(Assignment::taskId).containsExactly("second");
  }

  @Test
  void noWorkerEverGetsMoreThanItsSlots() {
    List<CompletableFuture<PullReply>> replies = new ArrayList<>();
    for (int slots = 1; slots <= 6; slots++) {
      replies.add(tracker.worker("worker-" + slots).pull(slots));
    }
    submitDue(IntStream.range(0, 30).mapToObj(i -> "task-" + i).toArray(String[]::new));

    assertThat(replies)
        .extracting(reply -> reply.join().assignments().size())
        .containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void backlogLargerThanOneClaimIsHandedOutWholly() {
    for (int i = 0; i < 3; i++) {
      int base = i * 300;
      tracker.submit(
          IntStream.range(0, 300)
              .mapToObj(n -> job("t-" + (base + n)).build())
              .toArray(Job[]::new));
    }
    tracker.load();
    int taken = 0;
    for (int pull = 0; pull < 10 && taken < 900; pull++) {
      taken += worker.take(1_000).size();
    }

    assertThat(taken).isEqualTo(900);
  }

  /** Each row that was cancelled since its load would otherwise cost a slot a second. */
  @Test
  void pullThatWasDealtOnlyRowsThatAreGoneWaitsOn() {
    tracker.submit(
        IntStream.range(0, 50)
            .mapToObj(i -> job("gone-" + i).priority(1).build())
            .toArray(Job[]::new));
    tracker.submit(job("last").build());
    tracker.load();
    for (int i = 0; i < 50; i++) {
      tracker.cancel("gone-" + i);
    }

    CompletableFuture<PullReply> reply = worker.pull(2);

    assertThat(reply).isDone();
    assertThat(reply.join().assignments()).extracting(Assignment::taskId).containsExactly("last");
  }

  @Test
  void pullThatWasDealtOnlyRowsThatAreGoneIsStillAnsweredAfterItsSecond() {
    tracker.submit(job("gone").build());
    tracker.load();
    tracker.cancel("gone");
    CompletableFuture<PullReply> reply = worker.pull(3);
    time.pass(Duration.ofMillis(999));
    assertThat(reply).isNotDone();

    submitDue("a", "b", "c", "d");

    assertThat(worker.receive(reply)).as("with all its slots").hasSize(3);
    CompletableFuture<PullReply> next = worker.pull(1, List.of());
    assertThat(next).isDone();
  }

  @Test
  void answerThatGotLostGoesBackWithItsAttemptUnchanged() {
    submitDue("close");
    long lost = worker.pull(1).join().assignments().get(0).executionId();

    worker.pull(0);
    Assignment again = worker.takeOne();

    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.executionId()).isGreaterThan(lost);
    assertThat(ends("close")).containsExactly("RETURNED");
    assertThat(ledger("close").get(0).cause()).isEqualTo(Cause.of(CauseCode.NEVER_RECEIVED));
  }

  /** LTS moved a job back when its answer was late, although the worker ran it: it ran twice. */
  @Test
  void answerThatMayYetArriveIsLeftAlone() {
    submitDue("close");
    CompletableFuture<PullReply> underWay = worker.pull(1);

    worker.pull(0, List.of(1L));
    worker.receive(underWay);
    worker.pull(0);

    assertThat(executing("close")).hasSize(1);
    assertThat(ends("close")).isEmpty();
  }

  @Test
  void lowDequeAsksForALoadWhileTheStoreHoldsMore() {
    for (int i = 0; i < 3; i++) {
      int base = i * 500;
      tracker.submit(
          IntStream.range(0, 500)
              .mapToObj(n -> job("t-" + (base + n)).build())
              .toArray(Job[]::new));
    }
    tracker.load();
    for (int pull = 0; pull < 3; pull++) {
      worker.receive(worker.pull(250));
    }

    assertThat(tracker.group().head().dueCount()).isLessThan(DEQUE_CAPACITY / 2);
    assertThat(tracker.signals().lowDeque()).isPositive();
  }

  @Test
  void workerIsToldWhichOfItsExecutionsAreToStop() {
    submitDue("a", "b");
    worker.receive(worker.pull(2));
    tracker.cancel("b");

    CompletableFuture<PullReply> parked = worker.pull(1);
    time.pass(HandDrivenTracker.PARK_TIME);

    assertThat(worker.beat().stopRequested()).containsExactly(executing("b").get(0).id());
    assertThat(parked.join().stopRequested()).containsExactly(executing("b").get(0).id());
  }

  @Test
  void workersThatComeAndGoLeaveNoLeaseBehind() {
    for (int i = 0; i < 200; i++) {
      HandDrivenWorker passing = tracker.worker("passing-" + i);
      submitDue("task-" + i);
      passing.receive(passing.pull(1));
      passing.reportAll(passing.result(executing("task-" + i).get(0).id(), Outcome.SUCCESS, null));
      tracker.desk().disconnected(passing.peer());
    }

    assertThat(tracker.group().leases().size()).isZero();
  }

  private void submitDue(String... taskIds) {
    tracker.submit(Arrays.stream(taskIds).map(id -> job(id).build()).toArray(Job[]::new));
    tracker.load();
  }
}
