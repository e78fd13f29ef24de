package io.millrace.jobtracker.race;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Racer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

class ConcurrentRoomsTest extends ServiceTest {
  private static final int ROUNDS = 20;

  private final Racer racer = new Racer();
  private HandDrivenTracker one;
  private HandDrivenTracker two;
  private HandDrivenTracker three;
  private HandDrivenWorker worker;

  @BeforeEach
  void openTrackers() {
    one = new HandDrivenTracker(11, stores, new HandTime());
    two = new HandDrivenTracker(12, stores, new HandTime());
    three = new HandDrivenTracker(13, stores, new HandTime());
    worker = one.worker("worker-1");
  }

  @AfterEach
  void stopThreads() {
    racer.close();
  }

  /** Claim and success, cancel, and replacement, all of one task id. */
  @RepeatedTest(ROUNDS)
  void everyStoredOneShotEndsOnceWhoeverGetsToItFirst() {
    one.submit(job("close").build());

    List<Integer> stored =
        racer.together(
            List.of(
                () -> takeAndSucceed(),
                () -> {
                  two.cancel("close");
                  return 0;
                },
                () -> isStored(three.submit(job("close").replaceExisting(true).build()).status())));
    takeAndSucceed();

    int jobs = 1 + stored.stream().mapToInt(Integer::intValue).sum();
    assertThat(ledger("close")).hasSize(jobs).allMatch(row -> row.status().isFinal());
    assertThat(ledger("close").stream().map(LedgerEntry::jobId)).doesNotHaveDuplicates();
    assertThat(waiting("close")).isEmpty();
    assertThat(executing("close")).isEmpty();
  }

  /** Three ask for it at once: one trigger is written, and all are told which. */
  @RepeatedTest(ROUNDS)
  void deadOneShotThatIsReplayedByManyRunsOnce() {
    one.submit(job("close").retry(RetryPolicy.NONE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    long dead = dead("close").get(0).id();

    List<ReplayResult> results =
        racer.together(
            List.<Callable<ReplayResult>>of(
                () -> one.replay(dead), () -> two.replay(dead), () -> three.replay(dead)));

    assertReplayedOnce(results);
    assertThat(waiting("close")).hasSize(1);
  }

  @RepeatedTest(ROUNDS)
  void deadTriggerOfAQueueThatIsReplayedByManyTakesOneTurn() {
    one.submit(
        job("poll")
            .every(Duration.ofMinutes(1))
            .overlap(OverlapPolicy.queue(5))
            .retry(RetryPolicy.NONE)
            .build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    DeadTrigger dead = dead("poll").get(0);

    List<ReplayResult> results =
        racer.together(
            List.<Callable<ReplayResult>>of(
                () -> one.replay(dead.id()),
                () -> two.replay(dead.id()),
                () -> three.replay(dead.id())));

    assertReplayedOnce(results);
    assertThat(waiting("poll")).filteredOn(row -> row.key().isExtra()).hasSize(1);
    assertThat(stores.jobs().turns(dead.jobId())).isEqualTo(new RunCounts(1, 0));
  }

  private static void assertReplayedOnce(List<ReplayResult> results) {
    assertThat(results)
        .extracting(ReplayResult::status)
        .containsExactlyInAnyOrder(Status.REPLAYED, Status.REPLAYED_BEFORE, Status.REPLAYED_BEFORE);
    assertThat(results).extracting(ReplayResult::replayId).doesNotContainNull();
    assertThat(results.stream().map(ReplayResult::replayId).distinct()).hasSize(1);
  }

  /** The task id goes to one of them, and what was refused leaves no mark. */
  @RepeatedTest(ROUNDS)
  void replayAndSubmitOfTheSameTaskIdDoNotBothGetIt() {
    one.submit(job("close").retry(RetryPolicy.NONE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    long dead = dead("close").get(0).id();

    List<Boolean> stored =
        racer.together(
            List.<Callable<Boolean>>of(
                () -> one.replay(dead).status() == Status.REPLAYED,
                () -> two.submit(job("close").build()).status() == SubmitStatus.ACCEPTED,
                () ->
                    three.submit(job("close").every(Duration.ofMinutes(1)).build()).status()
                        == SubmitStatus.ACCEPTED));

    assertThat(stored).containsOnlyOnce(true);
    assertThat(dead("close").get(0).state())
        .isEqualTo(stored.get(0) ? DeadState.REPLAYED : DeadState.OPEN);
    assertThat(waiting("close"))
        .allMatch(row -> row.isOfRecurringJob() == stored.get(2))
        .isNotEmpty();
  }

  /** A chain is ended by its worker and edited by its owner at the same time. */
  @RepeatedTest(ROUNDS)
  void chainThatEndsAndIsEditedAtOnceHasExactlyOneLiveTrigger() {
    one.submit(job("chain").fixedDelay(Duration.ofMinutes(1)).build());
    Assignment running = worker.takeOne();
    two.time().pass(Duration.ofMillis(1));
    three.time().pass(Duration.ofMillis(2));

    racer.together(
        List.<Callable<Object>>of(
            () -> worker.succeed(running),
            () -> two.submit(edited(Job.builder(HandDrivenTracker.GROUP, "chain"), 2)),
            () -> three.submit(edited(Job.builder(HandDrivenTracker.GROUP, "chain"), 3))));

    assertThat(executing("chain")).isEmpty();
    assertThat(waiting("chain"))
        .singleElement()
        .matches(row -> row.jobVersion() == definition("chain").version());
    assertThat(definition("chain").version()).isEqualTo(3);
    assertThat(finals("chain")).allSatisfy((key, count) -> assertThat(count).isOne());
  }

  /** A retry comes back, or is taken back, or never comes back: but one of them. */
  @RepeatedTest(ROUNDS)
  void triggerThatIsRetriedWhileItsJobIsCancelledEndsOnce() {
    one.submit(job("poll").every(Duration.ofMinutes(1)).build());
    Assignment running = worker.takeOne();

    racer.together(
        List.<Callable<Object>>of(
            () -> worker.report(running, Outcome.EXCEPTION), () -> two.cancel("poll")));

    assertThat(waiting("poll")).isEmpty();
    assertThat(executing("poll")).isEmpty();
    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
    assertThat(finals("poll")).hasSize(1).containsValue(1L);
  }

  /** Two trackers generate, a third edits. */
  @RepeatedTest(ROUNDS)
  void generatingAndEditingAtOnceLeavesTheTriggersOfOneVersionOnceEach() {
    one.submit(job("poll").every(Duration.ofMinutes(1)).at(inMillis(60_000)).build());
    one.time().pass(Duration.ofMinutes(9));
    two.time().pass(Duration.ofMinutes(9));
    three.time().pass(Duration.ofMinutes(9));

    racer.together(
        List.<Callable<Object>>of(
            () -> one.generate(),
            () -> two.generate(),
            () ->
                three.submit(
                    job("poll")
                        .every(Duration.ofMinutes(2))
                        .at(inMillis(600_000))
                        .replaceExisting(true)
                        .build())));
    one.generate();

    int version = definition("poll").version();
    assertThat(version).isEqualTo(2);
    assertThat(waiting("poll"))
        .allMatch(row -> row.jobVersion() == version)
        .extracting(WaitingTrigger::plannedFor)
        .doesNotHaveDuplicates()
        .hasSize(5);
  }

  /** The same result over two trackers, and a lease that runs out in between. */
  @RepeatedTest(ROUNDS)
  void executionThatIsReportedTwiceAndRescuedAtOnceEndsOnce() {
    one.submit(job("close").build());
    HandDrivenTracker owner = new HandDrivenTracker(14, stores, new HandTime());
    HandDrivenWorker its = owner.worker("worker-1");
    Assignment running = its.takeOne();
    owner.recoverFor(HandDrivenTracker.WORKER_LEASE.minus(HandDrivenTracker.RECOVER_PERIOD));
    owner.time().pass(HandDrivenTracker.RECOVER_PERIOD);

    racer.together(
        List.<Callable<Object>>of(
            () -> owner.recover(),
            () -> its.movedTo(one).succeed(running),
            () -> its.movedTo(two).succeed(running)));

    assertThat(ledger("close")).hasSize(1);
    assertThat(executing("close")).isEmpty();
    assertThat(waiting("close")).hasSize(ends("close").contains("RESCUED") ? 1 : 0);
  }

  private static Job edited(Job.Builder job, int minutes) {
    return job.fixedDelay(Duration.ofMinutes(minutes)).replaceExisting(true).build();
  }

  private int takeAndSucceed() {
    for (Assignment assignment : worker.take(5)) {
      worker.succeed(assignment);
    }
    return 0;
  }

  private static int isStored(SubmitStatus status) {
    return status == SubmitStatus.ACCEPTED || status == SubmitStatus.REPLACED ? 1 : 0;
  }

  private Map<String, Long> finals(String taskId) {
    return ledger(taskId).stream()
        .filter(row -> row.status().isFinal())
        .collect(Collectors.groupingBy(row -> row.key().toString(), Collectors.counting()));
  }
}
