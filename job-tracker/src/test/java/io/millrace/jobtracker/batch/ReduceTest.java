package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartResult;
import io.millrace.internal.protocol.PartsReply;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What runs after all parts of a run, and what it can read of them. */
class ReduceTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private static Job.Builder reducing(String taskId) {
    return job(taskId).handler("count").reduce("sum").retry(RetryPolicy.NONE);
  }

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  private List<Assignment> map(Job job, int parts) {
    tracker.submit(job);
    worker.map(worker.takeOne(), parts);
    tracker.runBatches();
    return worker.takeAll(300);
  }

  private Assignment takeReduce() {
    tracker.runBatches();
    Assignment reduce = worker.takeOne();
    assertThat(reduce.reduces()).isTrue();
    return reduce;
  }

  private static PartResult result(int number, PartOutcome outcome, String json) {
    return new PartResult(number, outcome, json, Map.of("n", String.valueOf(number)));
  }

  private String storedResult(long executionId) {
    return stores.results().find(List.of(executionId)).get(executionId);
  }

  @Test
  void reduceReadsWhatThePartsReturnedAndItsResultIsThatOfTheRun() {
    List<Assignment> parts = map(reducing("words").param("year", "2026").feedback(true).build(), 3);
    for (Assignment part : parts) {
      worker.succeed(part, String.valueOf(10 * part.part()));
    }

    Assignment reduce = takeReduce();

    assertThat(ends("words")).isEmpty();
    assertThat(reduce.handler()).isEqualTo("sum");
    assertThat(reduce.taskId()).isEqualTo("words");
    assertThat(reduce.part()).isNull();
    assertThat(reduce.params()).containsEntry("year", "2026");
    assertThat(worker.parts(reduce, 0))
        .isEqualTo(
            new PartsReply(
                true,
                List.of(
                    result(1, PartOutcome.SUCCEEDED, "10"),
                    result(2, PartOutcome.SUCCEEDED, "20"),
                    result(3, PartOutcome.SUCCEEDED, "30")),
                false));
    worker.succeed(reduce, "60");
    tracker.runBatches();

    LedgerEntry end = ledger("words").get(0);
    assertThat(ends("words")).containsExactly("SUCCEEDED");
    assertThat(storedResult(end.id())).isEqualTo("60");
    assertThat(storedResult(parts.get(0).executionId())).isNull();
    assertThat(stores.feedback().read("shop", 0, 10))
        .singleElement()
        .satisfies(feedback -> assertThat(feedback.executionId()).isEqualTo(end.id()));
  }

  @Test
  void shardsAreReducedToo() {
    tracker.submit(reducing("words").shards(2).build());
    List<Assignment> shards = new ArrayList<>(worker.take(1));
    shards.addAll(worker.take(5));
    worker.succeed(shards.get(0), "1");
    worker.succeed(shards.get(1));

    Assignment reduce = takeReduce();

    assertThat(reduce.shards()).isNull();
    assertThat(worker.parts(reduce, 0).parts())
        .containsExactly(
            new PartResult(shards.get(0).shard() + 1, PartOutcome.SUCCEEDED, "1", null),
            new PartResult(shards.get(1).shard() + 1, PartOutcome.SUCCEEDED, null, null));
    worker.succeed(reduce);
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("SUCCEEDED");
  }

  @Test
  void reduceOfARecurringJobHasTheParametersOfItsRunEvenAfterAnEdit() {
    tracker.submit(reducing("words").every(MINUTE).at(inMillis(0)).param("year", "2026").build());
    Assignment run = worker.takeOne();
    tracker.submit(
        reducing("words")
            .every(MINUTE)
            .at(inMillis(0))
            .param("year", "2027")
            .replaceExisting(true)
            .build());
    worker.map(run, 0);

    Assignment reduce = takeReduce();

    assertThat(reduce.params()).containsEntry("year", "2026");
  }

  @Test
  void mapOfNoPartsIsReduced() {
    List<Assignment> reduce = map(reducing("words").param("year", "2026").build(), 0);

    assertThat(batch().reduce()).isEqualTo(ReduceState.RELEASED);
    assertThat(reduce).hasSize(1);
    assertThat(reduce.get(0).params()).containsEntry("year", "2026");
    assertThat(worker.parts(reduce.get(0), 0)).isEqualTo(new PartsReply(true, List.of(), false));
    worker.succeed(reduce.get(0), "0");
    tracker.runBatches();
    assertThat(storedResult(ledger("words").get(0).id())).isEqualTo("0");
  }

  @Test
  void reduceDoesNotRunIfAPartFailed() {
    List<Assignment> parts = map(reducing("words").build(), 2);
    worker.succeed(parts.get(0), "1");
    worker.report(parts.get(1), Outcome.FAILED);

    tracker.runBatches();

    assertThat(worker.take(1)).isEmpty();
    assertThat(ends("words")).containsExactly("FAILED");
  }

  @Test
  void reduceIsToldOfFailedPartsIfTheyAreIgnored() {
    List<Assignment> parts =
        map(reducing("words").onPartFailure(PartFailurePolicy.IGNORE).build(), 3);
    worker.succeed(parts.get(0), "1");
    worker.report(parts.get(1), Outcome.FAILED);
    worker.report(parts.get(2), Outcome.EXCEPTION);

    Assignment reduce = takeReduce();

    assertThat(worker.parts(reduce, 0).parts())
        .extracting(PartResult::outcome)
        .containsExactly(PartOutcome.SUCCEEDED, PartOutcome.FAILED, PartOutcome.DEAD);
    worker.succeed(reduce, "1");
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("SUCCEEDED");
  }

  @Test
  void reduceIsRetriedAndADeadOneMakesTheRunDead() {
    List<Assignment> parts = map(reducing("words").retry(RetryPolicy.retries(1)).build(), 1);
    worker.succeed(parts.get(0), "1");
    Assignment first = takeReduce();
    worker.report(first, Outcome.EXCEPTION);
    time.pass(MINUTE);
    Assignment second = takeReduce();
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(worker.parts(second, 0).parts()).hasSize(1);

    worker.report(second, Outcome.EXCEPTION);
    tracker.runBatches();

    assertThat(ends("words")).containsExactly("DEAD");
    assertThat(ledger("words").get(0).cause().code()).isEqualTo(CauseCode.REDUCE_FAILED);
  }

  @Test
  void reduceSurvivesTheLossOfItsWorker() {
    List<Assignment> parts = map(reducing("words").retry(RetryPolicy.retries(1)).build(), 1);
    worker.succeed(parts.get(0), "1");
    takeReduce();

    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.multipliedBy(2));

    HandDrivenWorker other = tracker.worker("worker-2");
    Assignment again = other.takeOne();
    assertThat(other.parts(again, 0).parts()).hasSize(1);
    other.succeed(again, "1");
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("SUCCEEDED");
  }

  @Test
  void onlyTheWorkerThatHoldsTheReduceReadsTheParts() {
    List<Assignment> parts = map(reducing("words").build(), 1);
    PartsReply refused = new PartsReply(false, List.of(), false);
    assertThat(worker.parts(parts.get(0), 0)).as("no reduce").isEqualTo(refused);
    worker.succeed(parts.get(0), "1");
    Assignment reduce = takeReduce();

    assertThat(tracker.worker("worker-2").parts(reduce, 0)).isEqualTo(refused);
    assertThat(worker.parts(reduce, 0).held()).isTrue();
    worker.succeed(reduce);
    assertThat(worker.parts(reduce, 0)).isEqualTo(refused);
  }

  @Test
  void repeatedReportOfTheReduceIsCountedOnce() {
    List<Assignment> parts = map(reducing("words").build(), 1);
    worker.succeed(parts.get(0), "1");
    Assignment reduce = takeReduce();

    worker.succeed(reduce, "2");
    assertThat(worker.succeed(reduce, "2")).isEqualTo(CompletionStatus.ACCEPTED);
    tracker.runBatches();
    assertThat(worker.succeed(reduce, "2")).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("words")).containsExactly("SUCCEEDED");
  }

  @Test
  void pagesAreBoundedByNumberAndByBytes() {
    List<Assignment> parts = map(reducing("words").build(), 120);
    String large = '"' + "x".repeat(60_000) + '"';
    parts.forEach(part -> worker.succeed(part, large));
    Assignment reduce = takeReduce();

    List<Integer> numbers = new ArrayList<>();
    int pages = 0;
    PartsReply page;
    do {
      page = worker.parts(reduce, numbers.size());
      assertThat(page.parts().stream().mapToLong(part -> part.result().length()).sum())
          .isLessThanOrEqualTo(PartsReply.MAX_BYTES);
      page.parts().forEach(part -> numbers.add(part.number()));
      pages++;
    } while (page.more());

    assertThat(numbers).hasSize(120).isSorted();
    assertThat(pages).isEqualTo(2);
  }

  @Test
  void resultsBeyondTheBoundMakeTheirPartsDead() {
    List<Assignment> parts =
        map(reducing("words").onPartFailure(PartFailurePolicy.IGNORE).build(), 3);
    byHand("UPDATE jt_batch SET bytes = " + (BatchBounds.MAX_BYTES - 3));

    worker.succeed(parts.get(0), "12");
    worker.succeed(parts.get(1), "34");
    worker.succeed(parts.get(2), "5");

    assertThat(batch().bytes()).isEqualTo(BatchBounds.MAX_BYTES);
    assertThat(batch().counts().ended().dead()).isEqualTo(1);
    assertThat(worker.parts(takeReduce(), 0).parts())
        .extracting(PartResult::outcome)
        .containsExactly(PartOutcome.SUCCEEDED, PartOutcome.DEAD, PartOutcome.SUCCEEDED);
  }

  @Test
  void cancelWhileTheReduceWaitsOrRunsEndsTheRun() {
    for (boolean runs : new boolean[] {true, false}) {
      String taskId = "words-" + runs;
      List<Assignment> parts = map(reducing(taskId).build(), 1);
      worker.succeed(parts.get(0), "1");
      tracker.runBatches();
      Assignment reduce = runs ? worker.takeOne() : parts.get(0);

      tracker.cancel(taskId);
      if (runs) {
        worker.succeed(reduce, "2");
      }
      tracker.runBatches();

      assertThat(ends(taskId)).containsExactly("CANCELLED");
      assertThat(worker.take(1)).isEmpty();
    }
  }

  @Test
  void resultsAreStoredWithTheirPartsOnlyWhereAReduceReadsThem() {
    tracker.submit(job("other").build());
    Assignment run = worker.takeOne();
    worker.stage(run, 1, List.of(new StagedPart(null, Map.of("n", "1"))));
    worker.split(run, 1);
    tracker.runBatches();
    Assignment part = worker.takeOne();

    worker.succeed(part, "7");

    assertThat(storedResult(part.executionId())).isEqualTo("7");
    assertThat(stores.parts().read(run.executionId(), 0, 1).get(0).result()).isNull();
  }
}
