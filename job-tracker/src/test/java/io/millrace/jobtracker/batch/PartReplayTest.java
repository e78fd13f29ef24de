package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.OPERATOR;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A dead part of a run that is still under way comes back as a further part, in its place. */
class PartReplayTest extends ServiceTest {
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
    tracker.submit(job);
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

  private DeadTrigger died(Assignment part) {
    worker.report(part, Outcome.EXCEPTION);
    return stores.dead().find(part.executionId()).orElseThrow();
  }

  private Assignment replayed(DeadTrigger dead) {
    assertThat(tracker.replay(dead.id()).status()).isEqualTo(Status.REPLAYED);
    tracker.runBatches();
    return worker.takeOne();
  }

  private void assertRefused(DeadTrigger dead, String why) {
    ReplayResult result = tracker.replay(dead.id());
    assertThat(result.status()).isEqualTo(Status.REFUSED);
    assertThat(result.message()).contains(why);
    assertThat(stores.dead().find(dead.id()).orElseThrow().state()).isEqualTo(DeadState.OPEN);
  }

  @Test
  void replayTakesThePlaceOfTheDeadPartForItsHandlerForTheReduceAndInTheOutcome() {
    List<Assignment> parts = split(mortal().reduce("sum").build(), 3);
    DeadTrigger dead = died(parts.get(1));
    worker.succeed(parts.get(0), "10");

    ReplayResult result = tracker.replay(dead.id());

    PartKey replay = new PartKey(batch().id(), 4);
    assertThat(result)
        .isEqualTo(
            new ReplayResult(
                Status.REPLAYED,
                batch().id(),
                replay.trigger(),
                "runs as part 4 of run " + batch().id() + ", in place of part 2"));
    assertThat(batch().counts().total()).isEqualTo(4);
    assertThat(batch().counts().replaced()).isEqualTo(1);
    assertThat(batch().counts().failures()).isZero();
    tracker.runBatches();
    Assignment again = worker.takeOne();
    assertThat(again.part()).as("the number that its handler knows").isEqualTo(2);
    assertThat(again.handler()).isEqualTo("count");
    assertThat(again.params()).isEqualTo(Map.of("n", "2"));
    assertThat(again.attempt()).isEqualTo(1);
    worker.succeed(again, "20");
    worker.succeed(parts.get(2), "30");

    tracker.runBatches();
    Assignment reduce = worker.takeOne();
    assertThat(worker.parts(reduce, 0).parts())
        .containsExactly(
            new PartResult(1, PartOutcome.SUCCEEDED, "10", Map.of("n", "1")),
            new PartResult(2, PartOutcome.SUCCEEDED, "20", Map.of("n", "2")),
            new PartResult(3, PartOutcome.SUCCEEDED, "30", Map.of("n", "3")));
    worker.succeed(reduce, "60");
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("SUCCEEDED");
    long run = ledger("words").get(0).id();
    assertThat(stores.results().find(List.of(run))).containsEntry(run, "60");
    LedgerEntry end =
        ledger(PartKey.taskIdOf(run)).stream()
            .filter(row -> row.key().ordinal() == 4)
            .findFirst()
            .orElseThrow();
    assertThat(end.origin().replayOf()).isEqualTo(dead.id());
    assertThat(end.origin().submittedBy()).isEqualTo(OPERATOR);
    assertThat(tracker.reconcile().isNothing()).isTrue();
  }

  @Test
  void replayOfAShardIsTheSameShard() {
    List<Assignment> shards = split(mortal().shards(3).build(), 3);
    Assignment first = shards.get(0);
    DeadTrigger dead = died(first);

    Assignment again = replayed(dead);

    assertThat(again.shard()).isEqualTo(first.shard());
    assertThat(again.shards()).isEqualTo(3);
    assertThat(again.params()).isEqualTo(Map.of("of", "words"));
    worker.succeed(again);
    worker.succeed(shards.get(1));
    worker.succeed(shards.get(2));
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("SUCCEEDED");
    assertThat(stores.dead().find(dead.id()).orElseThrow().state()).isEqualTo(DeadState.REPLAYED);
  }

  @Test
  void shardsThatAreReleasedAfterAReplayKnowHowManyTheyAre() {
    tracker.submit(mortal().shards(400).build());
    List<Assignment> taken = new ArrayList<>(take(130));
    DeadTrigger dead = died(taken.remove(0));
    assertThat(tracker.replay(dead.id(), Map.of()).status()).isEqualTo(Status.REPLAYED);
    assertThat(batch().counts().unreleased()).isEqualTo(145);

    List<Assignment> seen = new ArrayList<>(taken);
    while (!taken.isEmpty()) {
      taken.forEach(worker::succeed);
      tracker.runBatches();
      taken = new ArrayList<>(worker.take(130));
      seen.addAll(taken);
    }

    assertThat(seen).hasSize(400).allMatch(part -> part.shards() == 400);
    assertThat(seen).extracting(Assignment::shard).doesNotHaveDuplicates();
    assertThat(seen.stream().filter(part -> part.params().isEmpty()))
        .as("the replay, with parameters of its own")
        .hasSize(1);
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("SUCCEEDED");
  }

  @Test
  void otherParametersHoldForTheReplayAndAreReadByTheReduce() {
    List<Assignment> parts = split(mortal().reduce("sum").build(), 1);
    List<Assignment> more = new ArrayList<>(parts);
    worker.report(more.get(0), Outcome.EXCEPTION);
    DeadTrigger dead = stores.dead().find(more.get(0).executionId()).orElseThrow();

    tracker.replay(dead.id(), Map.of("n", "7"));
    tracker.runBatches();
    Assignment again = worker.takeOne();
    assertThat(again.params()).isEqualTo(Map.of("n", "7"));
    worker.succeed(again, "1");
    tracker.runBatches();

    assertThat(worker.parts(worker.takeOne(), 0).parts())
        .containsExactly(new PartResult(1, PartOutcome.SUCCEEDED, "1", Map.of("n", "7")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replayThatDiesIsReplayedInTheSamePlace(boolean shards) {
    Job.Builder job = mortal().reduce("sum");
    List<Assignment> parts = split((shards ? job.shards(2) : job).build(), 2);
    DeadTrigger first = died(parts.get(1));
    Assignment again = replayed(first);
    DeadTrigger second = died(again);
    assertThat(second.replayOf()).isEqualTo(first.id());

    Assignment last = replayed(second);

    assertThat(last.part()).isEqualTo(parts.get(1).part());
    assertThat(last.shard()).isEqualTo(parts.get(1).shard());
    worker.succeed(last, "5");
    worker.succeed(parts.get(0), "4");
    tracker.runBatches();
    assertThat(worker.parts(worker.takeOne(), 0).parts())
        .extracting(PartResult::result)
        .containsExactlyInAnyOrder("4", "5");
  }

  @Test
  void replayBeginsWithWhatTheDeadPartKept() {
    List<Assignment> parts = split(mortal().build(), 2);
    Assignment part = parts.get(0);
    stores
        .kept()
        .write("worker-1", new KeepRequest(part.executionId(), 1, KeptKind.STEP, "charge", "7"), 5);
    DeadTrigger dead = died(part);

    tracker.replay(dead.id());

    Run replay = new Run(batch().id(), 0, 3);
    assertThat(stores.kept().read(replay)).anyMatch(kept -> kept.name().equals("charge"));
    assertThat(stores.kept().read(Run.of(dead))).isEmpty();
  }

  @Test
  void runWhoseOnlyFailureIsNotReplayedIsDeadAndCountsItsParts() {
    List<Assignment> parts = split(mortal().build(), 3);
    DeadTrigger first = died(parts.get(0));
    died(parts.get(1));
    worker.succeed(replayed(first));
    worker.succeed(parts.get(2));
    tracker.runBatches();

    assertThat(ends("words")).containsExactly("DEAD");
    assertThat(ledger("words").get(0).cause().code()).isEqualTo(CauseCode.PARTS_FAILED);
    assertThat(ledger("words").get(0).cause().arguments()).containsExactly("1", "3");
    assertThat(dead("words").get(0).parts()).isEqualTo(3);
  }

  @Test
  void replayBetweenTheLastEndAndTheEndOfTheRunKeepsTheRunOpen() {
    DeadTrigger dead = died(split(mortal().build(), 1).get(0));
    assertThat(batch().counts().isAllEnded()).isTrue();

    worker.succeed(replayed(dead));

    tracker.runBatches();
    assertThat(ends("words")).containsExactly("SUCCEEDED");
  }

  @Test
  void stoppedAndEndedRunsRefuseAndSayWhatToDo() {
    List<Assignment> parts = split(mortal().build(), 2);
    DeadTrigger dead = died(parts.get(0));
    long run = batch().id();
    tracker.terminate("words");

    assertRefused(dead, "is being stopped; when it has ended, replay dead trigger " + run);
    worker.report(parts.get(1), Outcome.INTERRUPTED);
    tracker.runBatches();
    assertThat(ends("words")).containsExactly("CANCELLED");
    assertRefused(dead, "has ended, and it is not dead; submit its job again");
  }

  @Test
  void endedDeadRunIsToBeReplayedItself() {
    DeadTrigger dead = died(split(mortal().build(), 1).get(0));
    long run = batch().id();
    tracker.runBatches();

    assertRefused(dead, "has ended; replay dead trigger " + run + ", which is the run");
  }

  @Test
  void runThatStopsAtTheFirstFailureRefuses() {
    List<Assignment> parts = split(mortal().onPartFailure(PartFailurePolicy.STOP).build(), 2);

    assertRefused(died(parts.get(0)), "stops at the first part that fails");
  }

  @Test
  void reduceThatHasBegunRefuses() {
    DeadTrigger dead =
        died(
            split(mortal().reduce("sum").onPartFailure(PartFailurePolicy.IGNORE).build(), 1)
                .get(0));
    tracker.runBatches();

    assertRefused(dead, "the reduce of the run of part 1");
    DeadTrigger reduce = died(worker.takeOne());
    assertRefused(reduce, "has begun");
  }

  @Test
  void secondReplayIsToldOfTheFirst() {
    DeadTrigger dead = died(split(mortal().build(), 2).get(0));
    tracker.replay(dead.id());

    ReplayResult second = tracker.replay(dead.id());

    assertThat(second.status()).isEqualTo(Status.REPLAYED_BEFORE);
    assertThat(second.replayId()).isEqualTo(batch().id());
    assertThat(batch().counts().total()).isEqualTo(3);
  }

  @Test
  void olderTrackerForbidsIt() {
    DeadTrigger dead = died(split(mortal().build(), 2).get(0));
    long until = time.millis() + Duration.ofMinutes(1).toMillis();
    byHand(
        "INSERT INTO jt_tracker (number, tracker_id, address, lease_until,"
            + " feature_level, level_of) VALUES (9, 'old', 'here:1', "
            + until
            + ", 3, 'old')");

    assertRefused(dead, "old");
  }

  @ParameterizedTest
  @EnumSource(names = {"ROLLED_BACK_IN_SILENCE", "COMMITTED_IN_SILENCE"})
  void commitWhoseAnswerIsLostIsFoundOut(FaultyTransactions.Fault fault) {
    DeadTrigger dead = died(split(mortal().build(), 2).get(0));
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    transactions.failNext(fault);

    assertThat(shaky.replay(dead.id()).status()).isEqualTo(Status.REPLAYED);

    assertThat(batch().counts().total()).isEqualTo(3);
    assertThat(batch().counts().replaced()).isEqualTo(1);
  }

  @Test
  void replayOfAPartThatWasSplitIsAPartAgain() {
    Assignment part = split(mortal().build(), 1).get(0);
    worker.map(part, 1);
    tracker.runBatches();
    DeadTrigger leaf = died(worker.takeOne());
    tracker.runBatches();
    tracker.runBatches();

    assertThat(ends("words")).containsExactly("DEAD");
    assertRefused(leaf, "replay dead trigger " + part.executionId());
  }

  @Test
  void lostReplayIsWrittenAgainInItsPlace() {
    List<Assignment> parts = split(mortal().shards(2).build(), 2);
    DeadTrigger dead = died(parts.get(1));
    tracker.replay(dead.id());
    tracker.runBatches();
    byHand("DELETE FROM jt_waiting_orders");

    tracker.reconcile();

    Assignment again = worker.takeOne();
    assertThat(again.shard()).isEqualTo(parts.get(1).shard());
  }
}
