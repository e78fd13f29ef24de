package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.OPERATOR;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A dead run that was split runs again without the parts that succeeded. */
class KeepingReplayTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private static Job.Builder mortal() {
    return job("words").handler("count").retry(RetryPolicy.NONE);
  }

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  private List<Assignment> split(Job job, int parts) {
    assertThat(tracker.submit(job).isStored()).isTrue();
    if (job.shards() == null) {
      worker.map(worker.takeOne(), parts);
      tracker.runBatches();
    }
    return take(parts);
  }

  private List<Assignment> take(int count) {
    List<Assignment> taken = worker.takeAll(count);
    assertThat(taken).hasSize(count);
    return taken;
  }

  private static int numberOf(Assignment part) {
    return part.shard() == null ? part.part() : part.shard() + 1;
  }

  /** Ends parts; these die, and the others return ten times their number. */
  private void end(List<Assignment> parts, Predicate<Integer> die) {
    for (Assignment part : parts) {
      int number = numberOf(part);
      if (die.test(number)) {
        worker.report(part, Outcome.EXCEPTION);
      } else {
        worker.succeed(part, String.valueOf(10 * number));
      }
    }
    tracker.runBatches();
  }

  private DeadTrigger deadRun() {
    List<DeadTrigger> all = dead("words");
    return all.get(all.size() - 1);
  }

  private ReplayResult replay() {
    ReplayResult result = tracker.replayKeeping(deadRun().id());
    assertThat(result.status()).as(result.message()).isEqualTo(Status.REPLAYED);
    tracker.runBatches();
    return result;
  }

  private void assertRefused(DeadTrigger dead, String why) {
    ReplayResult result = tracker.replayKeeping(dead.id());
    assertThat(result.status()).isEqualTo(Status.REFUSED);
    assertThat(result.message()).contains(why);
    assertThat(stores.dead().find(dead.id()).orElseThrow().state()).isEqualTo(DeadState.OPEN);
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void onlyWhatDidNotSucceedRunsAndTheReduceSeesAll(boolean shards, boolean reduces) {
    Job.Builder job = shards ? mortal().shards(4) : mortal();
    List<Assignment> parts = split((reduces ? job.reduce("sum") : job).param("y", "1").build(), 4);
    end(parts, number -> number == 2 || number == 3);
    DeadTrigger dead = deadRun();
    assertThat(dead.parts()).isEqualTo(4);
    time.pass(MINUTE);

    ReplayResult result = replay();

    assertThat(waiting("words")).isEmpty();
    assertThat(batch().run().spec().replayOf()).isEqualTo(dead.id());
    assertThat(batch().run().claimedAt()).isEqualTo(time.millis());
    assertThat(batch().counts().ended().succeeded()).isEqualTo(2);
    List<Assignment> again = take(2);
    assertThat(again).extracting(KeepingReplayTest::numberOf).containsExactly(2, 3);
    assertThat(again.get(0).params())
        .isEqualTo(
            parts.stream().filter(part -> numberOf(part) == 2).findFirst().orElseThrow().params());
    assertThat(worker.take(1)).isEmpty();
    assertThat(tracker.reconcile().isNothing()).as("nothing is amiss").isTrue();
    end(again, number -> false);
    if (reduces) {
      Assignment reduce = worker.takeOne();
      assertThat(worker.parts(reduce, 0).parts())
          .extracting(PartResult::number, PartResult::outcome, PartResult::result)
          .containsExactly(
              tuple(1, PartOutcome.SUCCEEDED, "10"),
              tuple(2, PartOutcome.SUCCEEDED, "20"),
              tuple(3, PartOutcome.SUCCEEDED, "30"),
              tuple(4, PartOutcome.SUCCEEDED, "40"));
      assertThat(reduce.params()).containsEntry("y", "1");
      worker.succeed(reduce, "100");
      tracker.runBatches();
    }
    assertThat(ends("words")).containsExactly("DEAD", "SUCCEEDED");
    LedgerEntry end = ledger("words").get(1);
    assertThat(end.origin().replayOf()).isEqualTo(dead.id());
    assertThat(end.origin().submittedBy()).isEqualTo(OPERATOR);
    assertThat(end.jobId()).isEqualTo(result.replayId());
    assertThat(stores.dead().find(dead.id()).orElseThrow().state()).isEqualTo(DeadState.REPLAYED);
  }

  @Test
  void deadReduceRunsAlone() {
    end(split(mortal().reduce("sum").build(), 3), number -> false);
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    tracker.runBatches();

    replay();

    Assignment reduce = worker.takeOne();
    assertThat(reduce.reduces()).isTrue();
    assertThat(worker.parts(reduce, 0).parts()).hasSize(3);
    worker.succeed(reduce, "60");
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("DEAD", "SUCCEEDED");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyPartsAreTakenOverInPages(boolean shards) {
    int many = shards ? Job.MAX_SHARDS : 1_010;
    Job job = (shards ? mortal().shards(many) : mortal()).build();
    assertThat(tracker.submit(job).isStored()).isTrue();
    if (!shards) {
      worker.map(worker.takeOne(), many);
      tracker.runBatches();
    }
    List<Assignment> some = worker.take(300);
    while (!some.isEmpty()) {
      end(some, number -> number == many - 100);
      some = worker.take(300);
    }
    assertThat(deadRun().parts()).isEqualTo(many);

    replay();

    assertThat(batch().counts().ended().succeeded()).isEqualTo(many - 1);
    end(take(1), number -> false);
    assertThat(ends("words")).containsExactly("DEAD", "SUCCEEDED");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasStoppedOrNeverReleasedRunsAndWhatSucceededDuringTheStopDoesNot(boolean reduces) {
    Job.Builder job = mortal().onPartFailure(PartFailurePolicy.STOP);
    tracker.submit((reduces ? job.reduce("sum") : job).build());
    worker.map(worker.takeOne(), 300);
    tracker.runBatches();
    List<Assignment> parts = take(3);
    worker.report(parts.get(0), Outcome.EXCEPTION);
    tracker.runBatches();
    worker.succeed(parts.get(1), "20");
    worker.report(parts.get(2), Outcome.EXCEPTION);
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("DEAD");

    replay();

    List<Integer> seen = new ArrayList<>();
    List<Assignment> some = worker.take(300);
    while (!some.isEmpty() && !Boolean.TRUE.equals(some.get(0).reduces())) {
      some.forEach(part -> seen.add(part.part()));
      end(some, number -> false);
      some = worker.take(300);
    }
    assertThat(seen).hasSize(299).doesNotHaveDuplicates().doesNotContain(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replayedPartsOfTheDeadRunCountInTheirPlaces(boolean reduces) {
    Job.Builder job = mortal().shards(3);
    List<Assignment> parts = split((reduces ? job.reduce("sum") : job).build(), 3);
    Assignment second =
        parts.stream().filter(part -> numberOf(part) == 2).findFirst().orElseThrow();
    worker.report(second, Outcome.EXCEPTION);
    tracker.replay(second.executionId());
    tracker.runBatches();
    worker.succeed(worker.takeOne(), "20");
    parts.remove(second);
    end(parts, number -> number == 1);
    assertThat(deadRun().parts()).isEqualTo(3);

    replay();

    List<Assignment> again = take(1);
    assertThat(numberOf(again.get(0))).isEqualTo(1);
    assertThat(worker.take(1)).isEmpty();
    end(again, number -> false);
    if (reduces) {
      assertThat(worker.parts(worker.takeOne(), 0).parts())
          .extracting(PartResult::result)
          .containsExactly("10", "20", "30");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replayThatDiesIsReplayedInItsTurn(boolean reduces) {
    Job.Builder job = reduces ? mortal().reduce("sum") : mortal();
    end(split(job.build(), 4), number -> number > 1);
    replay();
    end(take(3), number -> number > 2);

    replay();

    List<Assignment> last = take(2);
    assertThat(last).extracting(Assignment::part).containsExactly(3, 4);
    end(last, number -> false);
    if (reduces) {
      assertThat(worker.parts(worker.takeOne(), 0).parts())
          .extracting(PartResult::result)
          .containsExactly("10", "20", "30", "40");
    } else {
      assertThat(ends("words")).containsExactly("DEAD", "DEAD", "SUCCEEDED");
    }
  }

  @Test
  void deadPartOfTheNewRunIsReplayedToo() {
    end(split(mortal().build(), 2), number -> number == 2);
    replay();
    Assignment again = worker.takeOne();
    worker.report(again, Outcome.EXCEPTION);

    assertThat(tracker.replay(again.executionId()).status()).isEqualTo(Status.REPLAYED);
    tracker.runBatches();
    end(take(1), number -> false);

    assertThat(ends("words")).containsExactly("DEAD", "SUCCEEDED");
  }

  // The job.

  @Test
  void taskIdIsTakenAsByAnyOneShot() {
    end(split(mortal().build(), 2), number -> number == 2);
    DeadTrigger dead = deadRun();
    tracker.submit(job("words").at(inMillis(60_000)).build());
    assertRefused(dead, "is in use: a one-shot of its task id is waiting");
    tracker.cancel("words");

    replay();

    assertThat(tracker.submit(job("words").build()).status()).isEqualTo(SubmitStatus.DUPLICATE);
  }

  @Test
  void runOfARecurringJobTakesItsTurnAndIsRefusedIfItWouldWait() {
    end(
        split(
            mortal()
                .shards(2)
                .every(MINUTE)
                .at(inMillis(0))
                .overlap(OverlapPolicy.queue(1))
                .build(),
            2),
        number -> number == 2);
    DeadTrigger dead = deadRun();
    time.pass(MINUTE);
    List<Assignment> next = take(2);
    ReplayResult refused = tracker.replayKeeping(dead.id());
    assertThat(refused.status()).isEqualTo(Status.REFUSED);
    assertThat(refused.message()).contains("is in progress; ask again when it has ended");
    assertThat(stores.jobs().turns(dead.jobId()).queued()).isZero();
    end(next, number -> false);

    replay();

    assertThat(stores.jobs().turns(dead.jobId()).running()).isEqualTo(1);
    time.pass(MINUTE);
    List<Assignment> again = take(1);
    assertThat(again.get(0).shard()).isEqualTo(1);
    assertThat(tracker.reconcile().isNothing()).isTrue();
    end(again, number -> false);
    assertThat(take(2)).as("the run that waited for it").hasSize(2);
  }

  @Test
  void jobThatWasEditedSinceRefuses() {
    Job.Builder poll = mortal().every(MINUTE).at(inMillis(0));
    end(split(poll.shards(2).build(), 2), number -> number == 2);
    tracker.submit(poll.shards(3).replaceExisting(true).build());

    assertRefused(deadRun(), "was changed since; replay it as a whole");
  }

  @Test
  void partsOfARunThatWasNotKnownToSplitWaitInTheLaneOfParts() {
    end(
        split(mortal().every(MINUTE).at(inMillis(0)).overlap(OverlapPolicy.allow()).build(), 2),
        number -> number == 2);

    replay();

    assertThat(batch().run().spec().laneOrPlain().labels()).contains(Lane.PARTS);
  }

  // Refused.

  @Test
  void onlyRunsThatWereSplitAndWhosePartsAreKeptAreReplayedSo() {
    tracker.submit(job("plain").retry(RetryPolicy.NONE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    assertRefused(dead("plain").get(0), "was not split into parts");
    end(split(mortal().build(), 2), number -> number == 2);
    DeadTrigger run = deadRun();
    assertRefused(dead(PartKey.taskIdOf(run.id())).get(0), "is a part");

    time.pass(HandDrivenTracker.KEEP_PARTS);

    assertRefused(run, "are kept for 168 hours after its end (batch.keep), which are over");
    assertThat(tracker.replay(run.id()).status()).as("as a whole").isEqualTo(Status.REPLAYED);
  }

  @Test
  void lackOfWhatIsToBeTakenOverIsNoticed() {
    end(split(mortal().build(), 3), number -> number == 2);
    DeadTrigger run = deadRun();
    byHand("DELETE FROM jt_part WHERE number = 3");
    assertRefused(run, "are not known any more; replay it as a whole");

    end(split(job("more").retry(RetryPolicy.NONE).build(), 3), number -> number == 2);
    DeadTrigger more = dead("more").get(0);
    byHand("DELETE FROM jt_history WHERE job_id = " + more.id() + " AND ordinal = 3");
    assertRefused(more, "are not known any more; replay it as a whole");
  }

  @Test
  void secondReplayIsToldOfTheFirstWhicheverWayItIsAskedFor() {
    end(split(mortal().build(), 2), number -> number == 2);
    long id = deadRun().id();
    replay();

    assertThat(tracker.replayKeeping(id).status()).isEqualTo(Status.REPLAYED_BEFORE);
    assertThat(tracker.replay(id).status()).isEqualTo(Status.REPLAYED_BEFORE);
    assertThat(tracker.replayKeeping(42).status()).isEqualTo(Status.NOT_FOUND);
  }

  @ParameterizedTest
  @EnumSource(FaultyTransactions.Fault.class)
  void runIsReplayedOnceWhicheverCommitIsLost(FaultyTransactions.Fault fault) {
    boolean reached = true;
    for (int commit = 0; reached; commit++) {
      openTracker();
      worker = tracker.worker("worker-1");
      end(split(mortal().reduce("sum").build(), 3), number -> number == 2);
      DeadTrigger dead = deadRun();
      FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
      HandDrivenTracker shaky =
          new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
      transactions.failAfter(commit, fault);
      try {
        shaky.replayKeeping(dead.id());
      } catch (CompletionException e) {
        assertThat(e).hasCauseInstanceOf(StoreException.class);
      }
      reached = transactions.wasReached() && fault != FaultyTransactions.Fault.NONE;

      Status again = tracker.replayKeeping(dead.id()).status();

      assertThat(again).isIn(Status.REPLAYED, Status.REPLAYED_BEFORE);
      time.pass(Duration.ofSeconds(20));
      tracker.runBatches();
      end(take(1), number -> false);
      worker.succeed(worker.takeOne(), "60");
      tracker.runBatches();
      assertThat(ends("words")).containsExactly("DEAD", "SUCCEEDED");
    }
  }

  @Test
  void parametersOfPartsAreTakenOver() {
    end(split(mortal().build(), 2), number -> number == 2);

    replay();

    assertThat(worker.takeOne().params()).isEqualTo(Map.of("n", "2"));
  }
}
