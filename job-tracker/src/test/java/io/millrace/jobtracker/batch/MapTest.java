package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.StageReply;
import io.millrace.internal.protocol.StageRequest;
import io.millrace.internal.protocol.StageStatus;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.group.batch.BatchTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs whose handler makes their parts, from the first stored part to the end of the run. */
class MapTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  /** The run of a new one-shot, at the worker. */
  private Assignment running(String taskId) {
    tracker.submit(job(taskId).build());
    return worker.takeOne();
  }

  private List<Assignment> takeParts() {
    tracker.runBatches();
    return worker.takeAll(300);
  }

  private void succeedAll(List<Assignment> parts) {
    worker.reportAll(
        parts.stream()
            .map(part -> worker.result(part.executionId(), Outcome.SUCCESS, null))
            .toArray(ExecutionResult[]::new));
  }

  private static StagedPart part(String handler, String value) {
    return new StagedPart(handler, Map.of("of", value));
  }

  // From a stored part to the end of the run.

  @Test
  void nothingRunsBeforeTheAttemptHasSucceeded() {
    Assignment run = running("index");
    worker.stage(run, 3);

    assertThat(takeParts()).isEmpty();
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
    assertThat(executing("index")).hasSize(1);

    assertThat(worker.split(run, 3)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(executing("index")).isEmpty();
    assertThat(batch().state()).isEqualTo(BatchState.OPEN);
    assertThat(ends("index")).isEmpty();
    assertThat(takeParts()).hasSize(3);
  }

  @Test
  void eachPartHasItsOwnRunnerAndParameters() {
    tracker.submit(job("index").handler("lister").param("year", "2026").build());
    Assignment run = worker.takeOne();
    worker.stage(run, 1, List.of(part("pages", "a"), part(null, "b")));
    worker.stage(run, 3, List.of(new StagedPart("pages", Map.of())));
    worker.split(run, 3);

    List<Assignment> parts = takeParts();

    assertThat(parts).extracting(Assignment::part).containsExactly(1, 2, 3);
    assertThat(parts).extracting(Assignment::handler).containsExactly("pages", "lister", "pages");
    assertThat(parts)
        .extracting(Assignment::params)
        .containsExactly(Map.of("of", "a"), Map.of("of", "b"), Map.of());
    assertThat(parts)
        .allSatisfy(
            part -> {
              assertThat(part.taskId()).isEqualTo("index");
              assertThat(part.shards()).isNull();
              assertThat(part.reduces()).isNull();
            });
    assertThat(run.part()).isNull();
  }

  @Test
  void runEndsOnceAfterItsLastPart() {
    tracker.submit(job("index").feedback(true).build());
    Assignment run = worker.takeOne();
    worker.map(run, 2);
    List<Assignment> parts = takeParts();

    worker.succeed(parts.get(0));
    assertThat(tracker.runBatches()).isNull();
    assertThat(ends("index")).isEmpty();
    worker.succeed(parts.get(1));
    tracker.runBatches();

    assertThat(tracker.runBatches()).isNull();
    assertThat(ledger("index"))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.id()).isEqualTo(run.executionId());
              assertThat(end.status()).isEqualTo(LedgerStatus.SUCCEEDED);
              assertThat(end.reported()).isTrue();
            });
    assertThat(stores.feedback().read("shop", 0, 10)).hasSize(1);
    assertThat(stores.batches().find(List.of(run.executionId()))).isEmpty();
  }

  @Test
  void repeatedReportIsAnsweredAsTheFirstWhileTheRunGoesOnAndAfterItsEnd() {
    Assignment run = running("index");
    worker.map(run, 1);

    assertThat(worker.split(run, 1)).isEqualTo(CompletionStatus.ACCEPTED);
    HandDrivenWorker other = tracker.worker("worker-2");
    assertThat(other.split(run, 1)).isEqualTo(CompletionStatus.REFUSED);
    succeedAll(takeParts());
    tracker.runBatches();
    assertThat(worker.split(run, 1)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("index")).containsExactly("SUCCEEDED");
  }

  @Test
  void mapOfNoPartsEndsAtOnce() {
    Assignment run = running("index");

    assertThat(worker.split(run, 0)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(tracker.runBatches()).isNotNull();

    assertThat(ends("index")).containsExactly("SUCCEEDED");
    assertThat(ledger("index").get(0).id()).isEqualTo(run.executionId());
  }

  @Test
  void deadPartMakesTheRunDeadAfterTheOthers() {
    tracker.submit(job("index").retry(RetryPolicy.retries(1)).build());
    worker.map(worker.takeOne(), 2);
    List<Assignment> parts = takeParts();
    worker.report(parts.get(0), Outcome.EXCEPTION);
    worker.succeed(parts.get(1));
    time.pass(MINUTE);
    Assignment retry = worker.takeOne();
    assertThat(retry.attempt()).isEqualTo(2);
    assertThat(retry.params()).isEqualTo(parts.get(0).params());

    worker.report(retry, Outcome.EXCEPTION);
    tracker.runBatches();

    assertThat(ends("index")).containsExactly("DEAD");
    assertThat(dead("index")).hasSize(1);
  }

  // What is stored, and for whom.

  @Test
  void repeatedRequestStoresNothingAndGetsTheSameAnswer() {
    Assignment run = running("index");
    List<StagedPart> two = List.of(part(null, "a"), part(null, "b"));
    StageReply stored = new StageReply(StageStatus.STORED, null);

    assertThat(worker.stage(run, 1, two)).isEqualTo(stored);
    assertThat(worker.stage(run, 1, two)).isEqualTo(stored);
    assertThat(worker.stage(run, 3, two)).isEqualTo(stored);
    assertThat(worker.stage(run, 1, two)).isEqualTo(stored);
    assertThat(worker.stage(run, 6, two).status()).isEqualTo(StageStatus.CONFLICT);

    assertThat(stores.parts().read(run.executionId(), 0, 10)).hasSize(4);
  }

  @Test
  void onlyTheWorkerThatHoldsTheExecutionStoresParts() {
    Assignment run = running("index");
    List<StagedPart> one = List.of(part(null, "a"));

    assertThat(tracker.worker("worker-2").stage(run, 1, one).status()).isEqualTo(StageStatus.LOST);
    worker.succeed(run);
    assertThat(worker.stage(run, 1, one).status()).isEqualTo(StageStatus.LOST);
  }

  @Test
  void requestThatIsNotValidIsRefusedAndNamesThePart() {
    Assignment run = running("index");

    StageReply reply = worker.stage(run, 5, List.of(part(null, "a"), part(" ", "b")));

    assertThat(reply.status()).isEqualTo(StageStatus.REFUSED);
    assertThat(reply.message()).startsWith("part 6: ");
    assertThatThrownBy(() -> worker.stage(run, 1, List.of())).hasMessageContaining("1 to 1000");
    assertThatThrownBy(
            () ->
                worker.stage(
                    run, 1, Collections.nCopies(StageRequest.MAX_PARTS + 1, part(null, "a"))))
        .hasMessageContaining("1 to 1000");
    assertThatThrownBy(() -> worker.stage(run, 0, List.of(part(null, "a"))))
        .hasMessageContaining("from 1");
    String large = "x".repeat(1 << 19);
    assertThatThrownBy(() -> worker.stage(run, 1, List.of(part(null, large), part(null, large))))
        .hasMessageContaining("bytes");
  }

  private void startTrackerThatDoesNotKnowParts() {
    byHand(
        "INSERT INTO jt_tracker (number, tracker_id, address, lease_until)"
            + " VALUES (9, 'old', 'old:1', "
            + (time.millis() + 60_000)
            + ")");
  }

  @Test
  void trackerThatDoesNotKnowPartsIsNamed() {
    Assignment run = running("index");
    startTrackerThatDoesNotKnowParts();

    StageReply reply = worker.stage(run, 1, List.of(part(null, "a")));

    assertThat(reply.status()).isEqualTo(StageStatus.REFUSED);
    assertThat(reply.message()).contains("tracker 9 (old), at old:1");
    assertThat(stores.batches().find(List.of(run.executionId()))).isEmpty();
  }

  /** Such a tracker would never end the run, which has nothing else that it would refuse. */
  @Test
  void mapOfNoPartsIsRepeatedWhileATrackerDoesNotKnowParts() {
    tracker.submit(job("index").build(), job("plain").build());
    List<Assignment> both = new ArrayList<>(worker.take(1));
    both.addAll(worker.take(1));
    startTrackerThatDoesNotKnowParts();

    List<CompletionStatus> answers =
        worker.reportAll(
            both.stream()
                .map(run -> worker.result(run.executionId(), Outcome.SUCCESS, null))
                .map(end -> end.executionId() == idOf(both, "index") ? end.withStaged(0) : end)
                .toArray(ExecutionResult[]::new));

    assertThat(answers).containsOnly(CompletionStatus.ACCEPTED).hasSize(2);
    assertThat(ends("plain")).as("beside it").containsExactly("SUCCEEDED");
    assertThat(ledger("index"))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.status()).isEqualTo(LedgerStatus.RETRIED);
              assertThat(end.message()).contains("cannot be split", "tracker 9 (old), at old:1");
            });
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
    assertThat(stores.trackers().requiredLevel()).isEqualTo(FeatureLevel.NONE);

    time.pass(MINUTE);
    assertThat(worker.split(worker.takeOne(), 0)).isEqualTo(CompletionStatus.ACCEPTED);
    tracker.runBatches();
    assertThat(ends("index")).containsExactly("RETRIED", "SUCCEEDED");
    assertThat(stores.trackers().requiredLevel()).isEqualTo(FeatureLevel.PARTS);
  }

  private static long idOf(List<Assignment> runs, String taskId) {
    return runs.stream()
        .filter(run -> run.taskId().equals(taskId))
        .mapToLong(Assignment::executionId)
        .findFirst()
        .orElseThrow();
  }

  // Attempts that differ.

  @Test
  void attemptThatStagedOtherPartsThanItSaysHasFailed() {
    tracker.submit(job("index").retry(RetryPolicy.retries(1)).build());
    Assignment run = worker.takeOne();
    worker.stage(run, 3);

    assertThat(worker.split(run, 2)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ledger("index"))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.status()).isEqualTo(LedgerStatus.RETRIED);
              assertThat(end.message())
                  .isEqualTo("the worker reported success with 2 parts, and 3 are stored");
            });
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
    time.pass(MINUTE);
    Assignment again = worker.takeOne();
    worker.split(again, 5);
    assertThat(ends("index")).containsExactly("RETRIED", "DEAD");
  }

  @Test
  void onlyThePartsOfTheAttemptThatSucceededRun() {
    Assignment first = running("index");
    worker.stage(first, 1, List.of(part(null, "old-1"), part(null, "old-2"), part(null, "old-3")));
    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.multipliedBy(2));
    HandDrivenWorker other = tracker.worker("worker-2");
    Assignment second = other.takeOne();
    assertThat(second.attempt()).isEqualTo(2);

    assertThat(worker.stage(first, 4, List.of(part(null, "old-4"))).status())
        .isEqualTo(StageStatus.LOST);
    assertThat(worker.split(first, 3)).isEqualTo(CompletionStatus.REFUSED);
    other.stage(second, 1, List.of(part(null, "new-1"), part(null, "new-2")));
    other.split(second, 2);

    tracker.runBatches();
    List<Assignment> parts = other.take(10);
    assertThat(parts).extracting(part -> part.params().get("of")).containsExactly("new-1", "new-2");
    parts.forEach(other::succeed);
    tracker.runBatches();
    assertThat(ends("index")).containsExactly("RESCUED", "SUCCEEDED");
    assertThat(stores.batches().find(List.of(first.executionId()))).isEmpty();
    assertThat(stores.parts().read(first.executionId(), 0, 1)).isEmpty();
  }

  @Test
  void whatAFailedAttemptStagedIsNoRun() {
    tracker.submit(job("index").retry(RetryPolicy.NONE).build());
    Assignment run = worker.takeOne();
    worker.stage(run, 2);

    worker.report(run, Outcome.EXCEPTION);

    assertThat(ends("index")).containsExactly("DEAD");
    assertThat(takeParts()).isEmpty();
    assertThat(tracker.submit(job("index").build()).isStored()).isTrue();
  }

  // Turns, chains, identity.

  @Test
  void runHasItsTurnUntilItsEnd() {
    tracker.submit(
        job("poll").every(MINUTE).at(inMillis(0)).overlap(OverlapPolicy.queue(1)).build());
    worker.map(worker.takeOne(), 2);
    List<Assignment> parts = takeParts();
    time.pass(MINUTE);
    assertThat(worker.take(10)).isEmpty();
    assertThat(waiting("poll")).anyMatch(WaitingTrigger::isHeld);

    succeedAll(parts);
    tracker.runBatches();

    assertThat(worker.take(10)).hasSize(1);
  }

  @Test
  void nextTriggerOfAChainComesAtTheEnd() {
    tracker.submit(job("poll").fixedDelay(MINUTE).build());
    worker.map(worker.takeOne(), 1);
    List<Assignment> parts = takeParts();
    assertThat(waiting("poll")).isEmpty();

    succeedAll(parts);
    tracker.runBatches();

    assertThat(waiting("poll")).hasSize(1);
  }

  @Test
  void oneShotLivesUntilItsEnd() {
    String submission = "s-1";
    tracker.submit(submission, job("close").build());
    worker.map(worker.takeOne(), 1);

    assertThat(tracker.submit(submission, job("close").build()).isStored()).isTrue();
    assertThat(tracker.submit(job("close").build()).status()).isEqualTo(SubmitStatus.DUPLICATE);
    assertThat(worker.take(10)).isEmpty();

    succeedAll(takeParts());
    tracker.runBatches();
    assertThat(ends("close")).containsExactly("SUCCEEDED");
    assertThat(tracker.submit(job("close").build()).isStored()).isTrue();
  }

  @Test
  void editLeavesTheRunAsItBegan() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(0)).build());
    Assignment run = worker.takeOne();
    worker.stage(run, 2);
    tracker.submit(
        job("poll").every(MINUTE).at(inMillis(0)).handler("other").replaceExisting(true).build());

    assertThat(worker.split(run, 2)).isEqualTo(CompletionStatus.ACCEPTED);

    List<Assignment> parts = takeParts();
    assertThat(parts).filteredOn(part -> part.part() != null).hasSize(2);
    assertThat(parts)
        .filteredOn(part -> part.part() != null)
        .allSatisfy(part -> assertThat(part.handler()).isNull());
  }

  // Stops.

  @Test
  void cancelBeforeTheSuccessPreventsTheSplit() {
    Assignment run = running("close");
    worker.stage(run, 2);
    assertThat(tracker.cancel("close").found()).isTrue();

    assertThat(worker.stage(run, 3, List.of(part(null, "c"))).status()).isEqualTo(StageStatus.LOST);
    assertThat(worker.split(run, 2)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("close")).containsExactly("CANCELLED");
    assertThat(takeParts()).isEmpty();
  }

  @Test
  void terminationBeforeTheSuccessPreventsTheSplit() {
    Assignment run = running("close");
    worker.stage(run, 2);
    tracker.terminate("close", run.executionId());

    worker.split(run, 2);

    assertThat(ledger("close").get(0).status()).isEqualTo(LedgerStatus.CANCELLED);
    assertThat(ledger("close").get(0).cause().code()).isEqualTo(CauseCode.TERMINATED_BY);
  }

  @Test
  void cancelOfAnOpenRunDeletesWhatWaitsAndNotesTheRestInOneRow() {
    Assignment run = running("close");
    worker.map(run, 5_000);
    tracker.runBatches();
    List<Assignment> parts = worker.take(3);

    assertThat(tracker.cancel("close").found()).isTrue();

    assertThat(worker.take(10)).isEmpty();
    List<LedgerEntry> ends = stores.ledger().findByJob(run.executionId());
    assertThat(ends).hasSize(253 + 1);
    assertThat(ends.stream().mapToLong(LedgerEntry::instants).sum()).isEqualTo(5_000 - 3);
    worker.report(parts.get(0), Outcome.EXCEPTION);
    worker.succeed(parts.get(1));
    worker.succeed(parts.get(2));
    tracker.runBatches();
    assertThat(ends("close")).containsExactly("CANCELLED");
  }

  @Test
  void firstFailureStopsTheRestIfTheJobSaysSo() {
    for (boolean maps : new boolean[] {true, false}) {
      String taskId = "stops-" + maps;
      var builder = job(taskId).onPartFailure(PartFailurePolicy.STOP).retry(RetryPolicy.NONE);
      tracker.submit(maps ? builder.build() : builder.shards(400).build());
      Assignment first = worker.takeOne();
      if (maps) {
        worker.map(first, 400);
        tracker.runBatches();
      }
      List<Assignment> parts = worker.take(3);
      worker.report(parts.get(0), Outcome.FAILED);
      tracker.runBatches();

      assertThat(batch().state()).isEqualTo(BatchState.STOPPING);
      assertThat(worker.take(10)).isEmpty();
      worker.succeed(parts.get(1));
      worker.later(parts.get(2), MINUTE);
      if (!maps) {
        worker.succeed(first);
      }
      tracker.runBatches();
      assertThat(ends(taskId)).containsExactly("FAILED");
    }
  }

  @Test
  void runThatIsNotOverInTimeIsDead() {
    for (boolean maps : new boolean[] {true, false}) {
      String taskId = "late-" + maps;
      var builder = job(taskId).within(MINUTE);
      tracker.submit(maps ? builder.build() : builder.shards(400).build());
      Assignment first = worker.takeOne();
      if (maps) {
        time.pass(Duration.ofSeconds(10));
        worker.map(first, 400);
        tracker.runBatches();
      }
      worker.take(1).forEach(worker::succeed);
      time.pass(MINUTE.minusMillis(maps ? 1_000 : 5_000));
      tracker.runBatches();
      assertThat(batch().state()).isEqualTo(BatchState.OPEN);

      time.pass(BatchTask.PERIOD);
      tracker.runBatches();
      if (!maps) {
        worker.report(first, Outcome.INTERRUPTED);
        tracker.runBatches();
      }

      assertThat(ledger(taskId).get(0).status()).isEqualTo(LedgerStatus.DEAD);
      assertThat(ledger(taskId).get(0).cause().code()).isEqualTo(CauseCode.NOT_ENDED_IN_TIME);
    }
  }

  // Size.

  @Test
  void partsFollowThroughTheWindowAndEachRunsOnce() {
    Assignment run = running("index");
    worker.map(run, 2_500);
    Set<String> done = new HashSet<>();
    tracker.runBatches();
    while (stores.batches().findUnderWay(GROUP, 0, 1).size() == 1) {
      assertThat(waiting(PartKey.taskIdOf(run.executionId()))).hasSizeLessThanOrEqualTo(1_000);
      List<Assignment> some = worker.take(200);
      assertThat(some).as("after %s parts", done.size()).isNotEmpty();
      some.forEach(part -> assertThat(done.add(part.params().get("n"))).isTrue());
      succeedAll(some);
      tracker.runBatches();
    }

    assertThat(done)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 2_500).mapToObj(String::valueOf).toList());
    assertThat(ends("index")).containsExactly("SUCCEEDED");
  }

  @Test
  void largePartsAreReleasedInPieces() {
    Assignment run = running("index");
    String large = "x".repeat(900_000);
    for (int i = 1; i <= 12; i++) {
      worker.stage(run, i, List.of(part(null, large + i)));
    }
    worker.split(run, 12);

    tracker.runBatches();

    assertThat(batch().counts().released()).isEqualTo(12);
    Set<String> done = new HashSet<>();
    for (int round = 0; round < 12 && done.size() < 12; round++) {
      worker
          .take(12)
          .forEach(
              part -> {
                done.add(part.params().get("of").substring(large.length()));
                worker.succeed(part);
              });
    }
    tracker.runBatches();
    assertThat(done).hasSize(12);
    assertThat(ends("index")).containsExactly("SUCCEEDED");
  }

  @Test
  void repeatedReportOfAPartIsCountedOnce() {
    worker.map(running("index"), 2);
    List<Assignment> parts = takeParts();

    worker.succeed(parts.get(0));
    worker.succeed(parts.get(0));

    assertThat(batch().counts().ended()).isEqualTo(new PartEnds(1, 0, 0, 0, 0));
  }
}
