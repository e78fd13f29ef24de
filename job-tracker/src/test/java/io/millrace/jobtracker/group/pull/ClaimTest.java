package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which rows a claim wins, and what it hands out with them. */
class ClaimTest extends ServiceTest {

  /** Both believe that they own the group, and both have the row in memory. */
  @Test
  void ofTwoTrackersThatClaimOneRowExactlyOneWins() {
    HandDrivenTracker other = anotherTracker();
    tracker.submit(job("close").build());
    tracker.load();
    other.load();

    List<Assignment> first = tracker.worker("worker-1").pull(1).join().assignments();
    CompletableFuture<PullReply> second = other.worker("worker-2").pull(1);
    time.pass(HandDrivenTracker.PARK_TIME);

    assertThat(first).hasSize(1);
    assertThat(second.join().assignments()).isEmpty();
    assertThat(executing("close")).singleElement().matches(e -> e.workerId().equals("worker-1"));
  }

  @Test
  void rowsThatAnotherTrackerHasClaimedAreLeftOutOfABatch() {
    HandDrivenTracker other = anotherTracker();
    tracker.submit(tenJobs());
    other.load();
    HandDrivenWorker worker = tracker.worker("worker-1");
    Set<String> byFirst = taskIds(worker.take(4));

    Set<String> bySecond = taskIds(other.worker("worker-2").pull(10).join().assignments());

    assertThat(byFirst).hasSize(4);
    assertThat(bySecond).hasSize(6).doesNotContainAnyElementsOf(byFirst);
  }

  @Test
  void trackersThatClaimAtTheSameTimeShareTheRowsOutAmongThem() {
    int jobs = 600;
    tracker.submit(
        IntStream.range(0, jobs).mapToObj(i -> job("task-" + i).build()).toArray(Job[]::new));
    List<Callable<List<Long>>> trackers = new ArrayList<>();
    for (int number = 3; number <= 5; number++) {
      HandDrivenTracker one = new HandDrivenTracker(number, stores, new HandTime());
      HandDrivenWorker worker = one.worker("worker-" + number);
      trackers.add(() -> takeAll(worker));
    }

    List<Long> executions = new ArrayList<>();
    try (Racer racer = new Racer()) {
      racer.together(trackers).forEach(executions::addAll);
    }

    assertThat(executions).hasSize(jobs).doesNotHaveDuplicates();
    assertThat(stores.executing().findByGroup(GROUP, Long.MIN_VALUE, 1_000))
        .extracting(Execution::id)
        .containsExactlyInAnyOrderElementsOf(executions);
    assertThat(stores.waiting().nextLevel(GROUP, -1)).isEmpty();
  }

  private static List<Long> takeAll(HandDrivenWorker worker) {
    List<Long> taken = new ArrayList<>();
    for (int empty = 0; empty < 3; ) {
      List<Assignment> some = worker.take(25);
      some.forEach(assignment -> taken.add(assignment.executionId()));
      empty = some.isEmpty() ? empty + 1 : 0;
    }
    return taken;
  }

  /** The row is gone, and its trigger waits under another id. */
  @Test
  void rowInMemoryNeverClaimsALaterIncarnationOfItsTrigger() {
    HandDrivenTracker other = anotherTracker();
    tracker.submit(job("close").build());
    other.load();
    HandDrivenWorker worker = tracker.worker("worker-1");
    worker.report(worker.takeOne(), Outcome.INTERRUPTED);
    WaitingTrigger incarnation = waiting("close").get(0);

    CompletableFuture<PullReply> stale = other.worker("worker-2").pull(1);
    time.pass(HandDrivenTracker.PARK_TIME);

    assertThat(stale.join().assignments()).isEmpty();
    assertThat(waiting("close")).containsExactly(incarnation);
  }

  @Test
  void triggerWhoseJobWasEditedIsNotHandedOutInItsOldForm() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).param("v", "1").build());
    tracker.load();
    time.pass(Duration.ofMillis(1));
    tracker.submit(
        job("poll").every(Duration.ofMinutes(1)).param("v", "2").replaceExisting(true).build());

    List<Assignment> taken = tracker.worker("worker-1").take(5);

    assertThat(taken)
        .singleElement()
        .satisfies(a -> assertThat(a.params()).containsEntry("v", "2"));
    assertThat(executing("poll")).singleElement().matches(e -> e.jobVersion() == 2);
  }

  @Test
  void triggerOfARecurringJobIsHandedOutWithWhatItsDefinitionSays() {
    tracker.submit(
        job("poll")
            .every(Duration.ofMinutes(1))
            .handler("poller")
            .retry(7)
            .param("a", "b")
            .build());

    Assignment assignment = tracker.worker("worker-1").takeOne();

    assertThat(assignment.handler()).isEqualTo("poller");
    assertThat(assignment.maxAttempts()).isEqualTo(8);
    assertThat(assignment.params()).containsEntry("a", "b");
    assertThat(executing("poll").get(0).params().bytes()).as("the definition has them").isZero();
  }

  /** No room writes such a row; should one appear, it must not stop the group. */
  @Test
  void triggerThatIsExecutingAndWaitingAtOnceKeepsNothingElseFromBeingClaimed() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    Assignment running = executingAndWaiting(worker);
    tracker.submit(tenJobs());

    assertThat(taskIds(worker.take(20))).hasSize(10).doesNotContain("poll");
    worker.succeed(running);
    assertThat(worker.takeOne().taskId()).isEqualTo("poll");
  }

  /** The same, with a row of the batch gone as well. */
  @Test
  void triggerThatIsExecutingAndWaitingAtOnceBesideARowThatIsGoneKeepsNothingElseBack() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    executingAndWaiting(worker);
    tracker.submit(tenJobs());
    tracker.load();
    tracker.cancel("task-5");

    assertThat(taskIds(worker.take(20))).hasSize(9).doesNotContain("poll", "task-5");
  }

  private Assignment executingAndWaiting(HandDrivenWorker worker) {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).overlap(OverlapPolicy.allow()).build());
    Assignment running = worker.takeOne();
    WaitingTrigger again =
        definition("poll").triggerFor(1, running.plannedFor().toEpochMilli(), null, time.millis());
    stores.waiting().insert(HandDrivenTracker.GROUP, List.of(again));
    return running;
  }

  @Test
  void largeParametersAreReadAtTheClaim() {
    String large = "x".repeat(500_000);
    tracker.submit(job("close").param("large", large).build());
    tracker.load();

    assertThat(waiting("close")).singleElement().matches(row -> row.params().isLeftInStore());
    assertThat(tracker.worker("worker-1").takeOne().params()).containsEntry("large", large);
    assertThat(executing("close").get(0).params().isLeftInStore()).isTrue();
  }

  @Test
  void replyIsBoundedInBytesAndTheRestIsHandedOutLater() {
    String large = "x".repeat(1_000_000);
    for (int i = 0; i < 10; i++) {
      tracker.submit(job("task-" + i).param("large", large).build());
    }
    assertHandedOutInBoundedReplies(10);
  }

  @Test
  void replyIsBoundedInBytesAlsoForJobsWhoseDefinitionsAreLarge() {
    String large = "x".repeat(1_000_000);
    for (int i = 0; i < 10; i++) {
      tracker.submit(job("task-" + i).every(Duration.ofHours(1)).param("large", large).build());
    }
    assertHandedOutInBoundedReplies(10);
    assertThat(stores.ledger().readAfter(Long.MIN_VALUE, 100))
        .as("what fitted into no reply came back as if it had never left")
        .allMatch(row -> row.status().name().equals("RETURNED") && row.attempt() == 1);
  }

  private void assertHandedOutInBoundedReplies(int jobs) {
    HandDrivenWorker worker = tracker.worker("worker-1");
    Set<String> taken = new HashSet<>();
    for (int pull = 0; pull < 20 && taken.size() < jobs; pull++) {
      List<Assignment> reply = worker.take(jobs);
      assertThat(
              reply.stream()
                  .flatMap(assignment -> assignment.params().values().stream())
                  .mapToLong(String::length)
                  .sum())
          .isLessThanOrEqualTo(Claimer.MAX_REPLY_BYTES);
      reply.forEach(assignment -> assertThat(taken.add(assignment.taskId())).isTrue());
    }
    assertThat(taken).hasSize(jobs);
  }

  /** The claim commits, the cancel commits, and only then is there a lease to mark. */
  @Test
  void cancelThatCommitsBetweenAClaimAndItsLeaseReachesTheWorkerWithinALease() {
    tracker.submit(job("close").build());
    HandDrivenTracker[] claiming = new HandDrivenTracker[1];
    claiming[0] =
        new HandDrivenTracker(
            3,
            Interruptions.after(
                stores,
                Transactions.class,
                "inTransaction",
                () -> assertThat(claiming[0].cancel("close").running()).isEqualTo(1)),
            time);
    HandDrivenWorker worker = claiming[0].worker("worker-1");
    worker.takeOne();

    time.pass(HandDrivenTracker.WORKER_LEASE.plusMillis(1));
    worker.beat();
    claiming[0].adoptStrays();

    assertThat(worker.beat().stopRequested()).containsExactly(executing("close").get(0).id());
  }

  @Test
  void cancelByAnotherTrackerReachesTheWorkerWithinALease() {
    HandDrivenTracker owner = anotherTracker();
    owner.submit(job("close").build());
    HandDrivenWorker worker = owner.worker("worker-1");
    worker.takeOne();

    tracker.cancel("close");
    time.pass(HandDrivenTracker.WORKER_LEASE.plusMillis(1));
    owner.adoptStrays();

    assertThat(worker.beat().stopRequested()).containsExactly(executing("close").get(0).id());
  }

  private static Job[] tenJobs() {
    return IntStream.range(0, 10).mapToObj(i -> job("task-" + i).build()).toArray(Job[]::new);
  }

  private static Set<String> taskIds(List<Assignment> assignments) {
    Set<String> taskIds = new HashSet<>();
    assignments.forEach(assignment -> assertThat(taskIds.add(assignment.taskId())).isTrue());
    return taskIds;
  }
}
