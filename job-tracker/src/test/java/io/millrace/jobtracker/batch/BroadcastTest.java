package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.PARK_TIME;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Placement;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.BoundParts;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs with one part for each worker, from the claim that splits them to their end. */
class BroadcastTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker one;
  private HandDrivenWorker two;
  private HandDrivenWorker three;

  @BeforeEach
  void connectWorkers() {
    one = tracker.worker("worker-1");
    two = tracker.worker("worker-2");
    three = tracker.worker("worker-3");
    beatAll();
  }

  private void beatAll() {
    Stream.of(one, two, three).forEach(HandDrivenWorker::beat);
  }

  /** Lets time pass in which the workers are heard. */
  private void pass(Duration duration) {
    for (Duration left = duration; left.toMillis() > 0; left = left.minus(MINUTE.dividedBy(12))) {
      tracker.recoverFor(MINUTE.dividedBy(12));
      beatAll();
    }
  }

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  private static Job.Builder broadcast() {
    return job("reload").broadcast().retry(RetryPolicy.NONE);
  }

  /** Splits the run that is due, and takes what is for the worker. */
  private static List<Assignment> takeParts(HandDrivenWorker from) {
    List<Assignment> parts = new ArrayList<>(from.take(1));
    parts.addAll(from.take(10));
    return parts;
  }

  private Map<HandDrivenWorker, Assignment> takeAll() {
    return Stream.of(one, two, three)
        .collect(Collectors.toMap(worker -> worker, worker -> onlyOne(takeParts(worker))));
  }

  private static Assignment onlyOne(List<Assignment> parts) {
    assertThat(parts).hasSize(1);
    return parts.get(0);
  }

  private List<WaitingTrigger> waitingParts() {
    return waiting(PartKey.taskIdOf(batch().id()));
  }

  // Who gets parts.

  @Test
  void eachWorkerGetsOnePartAndKnowsWhichItIs() {
    tracker.submit(broadcast().param("year", "2026").build());

    List<Assignment> parts = List.copyOf(takeAll().values());

    assertThat(parts).extracting(Assignment::shard).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(parts)
        .allSatisfy(
            part -> {
              assertThat(part.shards()).isEqualTo(3);
              assertThat(part.taskId()).isEqualTo("reload");
              assertThat(part.params()).containsEntry("year", "2026");
            });
    assertThat(batch().kind()).isEqualTo(BatchKind.BROADCAST);
    assertThat(stores.batches().workersOf(batch().id()))
        .extracting("workerId")
        .containsExactly("worker-1", "worker-2", "worker-3");
  }

  @Test
  void runEndsAfterItsLastPart() {
    tracker.submit(broadcast().feedback(true).build());
    takeAll().forEach(HandDrivenWorker::succeed);
    tracker.runBatches();

    assertThat(ends("reload")).containsExactly("SUCCEEDED");
    assertThat(stores.feedback().read("shop", 0, 10)).hasSize(1);
    assertThat(tracker.group().heads().bound().isEmpty()).isTrue();
  }

  @Test
  void workerThatComesLaterGetsNone() {
    tracker.submit(broadcast().build());
    takeParts(one);

    HandDrivenWorker late = tracker.worker("worker-4");

    assertThat(takeParts(late)).isEmpty();
    assertThat(takeParts(two)).hasSize(1);
  }

  @Test
  void partGoesToItsWorkerUnderALoadOfOtherJobs() {
    tracker.submit(broadcast().build());
    takeParts(one);
    time.pass(Duration.ofSeconds(2));
    tracker.submit(
        IntStream.range(0, 300).mapToObj(n -> job("add-" + n).build()).toArray(Job[]::new));

    assertThat(one.take(100)).allSatisfy(each -> assertThat(each.taskId()).startsWith("add-"));
    assertThat(two.take(10)).extracting(Assignment::taskId).contains("reload").hasSize(10);
  }

  @Test
  void whatGoesBeforeAPartIsTakenBeforeIt() {
    tracker.submit(broadcast().build());
    takeParts(one);
    tracker.submit(job("urgent").priority(1).build(), job("last").priority(200).build());

    assertThat(two.take(2)).extracting(Assignment::taskId).containsExactly("urgent", "reload");
    assertThat(three.take(2)).extracting(Assignment::taskId).containsExactly("reload", "last");
  }

  @Test
  void partsOfOneWorkerGoByTheirPriority() {
    tracker.submit(
        job("late").broadcast().priority(255).build(),
        job("soon").broadcast().priority(10).build());
    one.take(2);

    assertThat(two.take(5)).extracting(Assignment::taskId).containsExactly("soon", "late");
  }

  @Test
  void partOfABusyWorkerStartsNoClaims() {
    tracker.submit(broadcast().build());
    takeParts(one);
    for (int second = 0; second < 10; second++) {
      var unused = one.pull(5);
      tracker.load();
      long before = time.handed();
      tracker.desk().dispatch();
      assertThat(time.handed()).as("claims in second %d", second).isEqualTo(before);
      time.pass(PARK_TIME);
      assertThat(time.handed()).as("the end of a pull").isLessThanOrEqualTo(before + 1);
    }
    assertThat(takeParts(two)).hasSize(1);
  }

  @Test
  void partsAreInNoLane() {
    tracker.submit(broadcast().build());
    takeParts(one);

    assertThat(waitingParts()).hasSize(2).allMatch(row -> row.lane() == Placement.BOUND);
    tracker.load();
    assertThat(tracker.group().heads().all()).hasSize(2);
    assertThat(stores.lanes().find(GROUP)).as("that of the run").hasSize(1);
  }

  // Attempts.

  @Test
  void retriesStayWithTheWorker() {
    tracker.submit(broadcast().retry(RetryPolicy.retries(2)).build());
    Assignment failing = takeAll().get(two);

    two.report(failing, Outcome.EXCEPTION);
    pass(MINUTE);

    assertThat(one.take(10)).isEmpty();
    assertThat(three.take(10)).isEmpty();
    Assignment again = onlyOne(two.take(10));
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.shard()).isEqualTo(failing.shard());
    two.report(again, Outcome.NOT_STARTED);
    assertThat(one.take(10)).isEmpty();
    assertThat(onlyOne(two.take(10)).attempt()).isEqualTo(2);
  }

  @Test
  void retryIsHandedOutAtItsTimeToAPullThatWaits() {
    tracker.submit(broadcast().retry(RetryPolicy.retries(2)).build());
    two.report(takeAll().get(two), Outcome.EXCEPTION);
    tracker.load();
    long due = waitingParts().get(0).dueAt();
    time.pass(Duration.ofMillis(due - time.millis() - 100));

    var pull = two.pull(1);
    assertThat(pull).isNotDone();
    time.pass(Duration.ofMillis(100));

    assertThat(pull).isDone();
    assertThat(pull.join().assignments()).hasSize(1);
  }

  @Test
  void attemptThatTimesOutIsRetriedByItsWorker() {
    tracker.submit(
        broadcast().timeout(Duration.ofSeconds(5)).retry(RetryPolicy.retries(1)).build());
    two.report(takeAll().get(two), Outcome.TIMED_OUT);
    pass(MINUTE);

    assertThat(onlyOne(two.take(5)).attempt()).isEqualTo(2);
  }

  @Test
  void partMayMakePartsForAllWorkers() {
    tracker.submit(broadcast().build());
    Map<HandDrivenWorker, Assignment> parts = takeAll();

    two.map(parts.get(two), 4);
    tracker.runBatches();

    assertThat(one.take(10)).hasSize(4);
  }

  // The whole run.

  @Test
  void failedPartFailsTheRunAsTheJobSays() {
    tracker.submit(broadcast().build());
    Map<HandDrivenWorker, Assignment> parts = takeAll();
    one.succeed(parts.get(one));
    two.report(parts.get(two), Outcome.FAILED);
    three.succeed(parts.get(three));
    tracker.runBatches();

    assertThat(ends("reload")).containsExactly("FAILED");
  }

  @Test
  void firstFailureStopsThePartsThatWait() {
    tracker.submit(broadcast().onPartFailure(PartFailurePolicy.STOP).build());
    one.report(onlyOne(takeParts(one)), Outcome.FAILED);
    tracker.runBatches();
    tracker.runBatches();

    assertThat(takeParts(two)).isEmpty();
    assertThat(ends("reload")).containsExactly("FAILED");
  }

  @Test
  void reduceSeesWhatEachWorkerReturned() {
    tracker.submit(broadcast().reduce("sum").build());
    takeAll().forEach((worker, part) -> worker.succeed(part, String.valueOf(part.shard())));
    tracker.runBatches();

    Assignment reduce = onlyOne(three.take(5));
    assertThat(reduce.reduces()).isTrue();
    assertThat(three.parts(reduce, 0).parts())
        .extracting(PartResult::outcome, PartResult::result)
        .containsExactly(
            tuple(PartOutcome.SUCCEEDED, "0"),
            tuple(PartOutcome.SUCCEEDED, "1"),
            tuple(PartOutcome.SUCCEEDED, "2"));
    three.succeed(reduce, "3");
    tracker.runBatches();
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void cancelDeletesWhatWaitsAndStopsWhatRuns() {
    tracker.submit(broadcast().build());
    Assignment running = onlyOne(takeParts(one));
    long batchId = batch().id();

    assertThat(tracker.cancel("reload").found()).isTrue();

    assertThat(batch().state()).isEqualTo(BatchState.STOPPING);
    assertThat(takeParts(two)).isEmpty();
    one.report(running, Outcome.INTERRUPTED);
    tracker.runBatches();
    assertThat(ends("reload")).containsExactly("CANCELLED");
    assertThat(stores.ledger().findByJob(batchId)).hasSize(3);
  }

  @Test
  void terminationNamesWhoTerminated() {
    tracker.submit(broadcast().build());
    one.succeed(onlyOne(takeParts(one)));

    tracker.terminate("reload", batch().id());
    tracker.runBatches();

    assertThat(ledger("reload").get(0).cause().code()).isEqualTo(CauseCode.TERMINATED_BY);
  }

  @Test
  void runThatDoesNotEndInTimeIsDead() {
    tracker.submit(broadcast().within(Duration.ofSeconds(20)).build());
    one.succeed(onlyOne(takeParts(one)));

    pass(Duration.ofSeconds(20));
    tracker.runBatches();
    tracker.runBatches();

    assertThat(ledger("reload"))
        .singleElement()
        .satisfies(end -> assertThat(end.cause().code()).isEqualTo(CauseCode.NOT_ENDED_IN_TIME));
    assertThat(takeParts(two)).isEmpty();
  }

  @Test
  void pauseAndEditLeaveTheRunAsItBegan() {
    tracker.submit(broadcast().every(MINUTE).at(inMillis(0)).param("a", "1").build());
    takeParts(one);
    tracker.pause("reload");
    assertThat(onlyOne(takeParts(two)).params()).containsEntry("a", "1");
    tracker.submit(
        job("reload").every(MINUTE).at(inMillis(0)).param("a", "2").replaceExisting(true).build());

    assertThat(onlyOne(takeParts(three)).params()).containsEntry("a", "1");
  }

  @Test
  void runHasItsTurnUntilItsEnd() {
    tracker.submit(
        broadcast().every(MINUTE).at(inMillis(0)).overlap(OverlapPolicy.queue(1)).build());
    Map<HandDrivenWorker, Assignment> parts = takeAll();
    pass(MINUTE);
    assertThat(one.take(10)).isEmpty();
    assertThat(waiting("reload")).anyMatch(WaitingTrigger::isHeld);

    parts.forEach(HandDrivenWorker::succeed);
    tracker.runBatches();

    assertThat(takeAll()).hasSize(3);
  }

  @Test
  void runThatWouldOverlapIsSkipped() {
    tracker.submit(broadcast().every(MINUTE).at(inMillis(0)).build());
    takeAll();
    pass(MINUTE);
    assertThat(one.take(10)).isEmpty();

    assertThat(ends("reload")).containsExactly("SKIPPED");
  }

  @Test
  void nextTriggerOfAChainComesAtTheEnd() {
    tracker.submit(broadcast().fixedDelay(MINUTE).build());
    Map<HandDrivenWorker, Assignment> parts = takeAll();
    assertThat(waiting("reload")).isEmpty();

    parts.forEach(HandDrivenWorker::succeed);
    tracker.runBatches();

    assertThat(waiting("reload")).hasSize(1);
  }

  // Size.

  @Test
  void everyOfManyWorkersGetsOnePart() {
    assertThatEachGetsOne(600);
  }

  @Test
  @Tag("long")
  void everyOfVeryManyWorkersGetsOnePart() {
    assertThatEachGetsOne(1_500);
  }

  private void assertThatEachGetsOne(int count) {
    Map<String, HandDrivenWorker> workers =
        IntStream.range(0, count)
            .mapToObj(n -> tracker.worker("many-%04d".formatted(n)).labelled("many"))
            .collect(Collectors.toMap(worker -> worker.peer().nodeId(), worker -> worker));
    workers.values().forEach(HandDrivenWorker::beat);
    tracker.submit(broadcast().on("many").build());
    Map<String, Assignment> taken = new HashMap<>();
    HandDrivenWorker first = workers.get("many-0000");
    taken.put("many-0000", onlyOne(takeParts(first)));
    first.succeed(taken.get("many-0000"));
    BoundParts bound = tracker.group().heads().bound();
    while (taken.size() < count) {
      List<BoundTo> next = bound.workers();
      assertThat(next).as("after %s", taken.size()).isNotEmpty().hasSizeLessThanOrEqualTo(256);
      for (BoundTo each : next) {
        HandDrivenWorker worker = workers.get(each.workerId());
        Assignment part = onlyOne(worker.receive(worker.pull(1)));
        assertThat(taken.put(each.workerId(), part)).as("a second one").isNull();
        worker.succeed(part);
      }
      tracker.runBatches();
    }

    assertThat(taken.values().stream().map(Assignment::shard)).doesNotHaveDuplicates();
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  // Repairs and replays.

  private Map<Integer, BoundTo> workersOfWaitingParts() {
    return waitingParts().stream()
        .collect(
            Collectors.toMap(
                part -> part.key().ordinal(),
                part -> Objects.requireNonNull(Objects.requireNonNull(part.spec()).boundTo())));
  }

  @Test
  void partThatIsInNoTableIsWrittenAgainForItsWorker() {
    tracker.submit(broadcast().build());
    one.succeed(onlyOne(takeParts(one)));
    Map<Integer, BoundTo> before = workersOfWaitingParts();
    List<Long> rowIds = waitingParts().stream().map(WaitingTrigger::id).toList();
    assertThat(stores.waiting().delete(GROUP, rowIds)).isEqualTo(2);

    assertThat(tracker.reconcile().isNothing()).isFalse();

    assertThat(workersOfWaitingParts()).hasSize(2).isEqualTo(before);
    assertThat(one.take(1)).isEmpty();
    two.succeed(onlyOne(takeParts(two)));
    three.succeed(onlyOne(takeParts(three)));
    tracker.runBatches();
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void replayOfADeadPartIsForTheSameWorker() {
    tracker.submit(broadcast().build());
    Map<HandDrivenWorker, Assignment> parts = takeAll();
    Assignment dead = parts.get(two);
    two.report(dead, Outcome.EXCEPTION);

    assertThat(tracker.replay(dead.executionId()).status()).isEqualTo(ReplayResult.Status.REPLAYED);

    tracker.runBatches();
    assertThat(one.take(1)).isEmpty();
    Assignment again = onlyOne(takeParts(two));
    assertThat(again.shard()).isEqualTo(dead.shard());
    assertThat(again.shards()).isEqualTo(3);
    two.succeed(again);
    one.succeed(parts.get(one));
    three.succeed(parts.get(three));
    tracker.runBatches();
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void runThatIsDeadIsReplayedAsAWhole() {
    tracker.submit(broadcast().build());
    takeAll().forEach((worker, part) -> worker.report(part, Outcome.EXCEPTION));
    tracker.runBatches();
    long run = ledger("reload").get(0).id();

    ReplayResult refused = tracker.replayKeeping(run);
    assertThat(refused.status()).isEqualTo(ReplayResult.Status.REFUSED);
    assertThat(refused.message()).contains("it can only be replayed as a whole");

    assertThat(tracker.replay(run).status()).isEqualTo(ReplayResult.Status.REPLAYED);
    takeAll().forEach(HandDrivenWorker::succeed);
    tracker.runBatches();
    assertThat(ends("reload")).containsExactlyInAnyOrder("DEAD", "SUCCEEDED");
  }
}
