package io.millrace.jobtracker.group.reconcile;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs that were split, damaged by hand. */
class BatchCheckTest extends ReconcileTest {

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  private List<WaitingTrigger> waitingParts() {
    return stores.waiting().findByTask(GROUP, PartKey.taskIdOf(batch().id()));
  }

  private List<Assignment> split(Job.Builder builder, int most) {
    tracker.submit(builder.build());
    List<Assignment> parts = new ArrayList<>(worker.take(1));
    if (parts.size() < most) {
      parts.addAll(worker.take(most - parts.size()));
    }
    assertThat(parts).hasSize(most);
    return parts;
  }

  private static Job.Builder close(int shards) {
    return job("close").shards(shards).retry(RetryPolicy.retries(1).withDelays(MINUTE, MINUTE));
  }

  private void runsToItsEnd(int parts) {
    time.pass(MINUTE.multipliedBy(3));
    for (int i = 0; i < 10 && stores.batches().findUnderWay(GROUP, 0, 1).size() == 1; i++) {
      worker.take(50).forEach(worker::succeed);
      tracker.runBatches();
      tracker.load();
    }
    assertThat(ends("close")).hasSize(1);
    long id = ledger("close").get(0).id();
    assertThat(stores.ledger().findByJob(id))
        .filteredOn(row -> row.status().isFinal())
        .extracting(row -> row.key().ordinal())
        .doesNotHaveDuplicates()
        .hasSize(parts);
  }

  @Test
  void runThatIsWholeIsLeftAlone() {
    List<Assignment> parts = split(close(3), 2);
    assertNothingToRepair();
    worker.report(parts.get(0), Outcome.EXCEPTION);
    worker.succeed(parts.get(1));
    assertNothingToRepair();
    time.pass(MINUTE.multipliedBy(5));
    assertNothingToRepair();
    Assignment running = worker.takeOne();
    tracker.cancel("close");
    assertNothingToRepair();
    worker.succeed(running);
    assertNothingToRepair();
    tracker.runBatches();
    assertNothingToRepair();
    assertThat(ends("close")).containsExactly("CANCELLED");
  }

  @Test
  void partThatIsInNoTableIsWrittenAgain() {
    List<Assignment> parts = split(close(4), 1);
    byHand(
        "DELETE FROM jt_waiting_orders WHERE ordinal = " + waitingParts().get(0).key().ordinal());

    assertRepairs(Inconsistency.PART_MISSING, 1);

    assertThat(waitingParts()).hasSize(3);
    worker.succeed(parts.get(0));
    runsToItsEnd(4);
  }

  @Test
  void lostPartOfAStoppedRunCountsAsCancelled() {
    split(close(4), 2);
    tracker.cancel("close");
    byHand("DELETE FROM jt_executing");

    assertRepairs(Inconsistency.PART_MISSING, 2);

    tracker.runBatches();
    assertThat(ends("close")).containsExactly("CANCELLED");
  }

  @Test
  void countsThatAreWrongAreCorrected() {
    List<Assignment> parts = split(close(4), 2);
    worker.succeed(parts.get(0));
    byHand("UPDATE jt_batch SET succeeded = 3");

    assertRepairs(Inconsistency.PARTS_MISCOUNTED, 1);

    assertThat(batch().counts().ended()).isEqualTo(new PartEnds(1, 0, 0, 0, 0));
    worker.succeed(parts.get(1));
    runsToItsEnd(4);
  }

  /** Their sum is right. */
  @Test
  void endsThatAreCountedAsOthersAreCorrected() {
    List<Assignment> parts = split(close(4), 2);
    parts.forEach(worker::succeed);
    byHand("UPDATE jt_batch SET succeeded = 1, dead = 1");

    assertRepairs(Inconsistency.PARTS_MISCOUNTED, 1);

    assertThat(batch().counts().ended()).isEqualTo(new PartEnds(2, 0, 0, 0, 0));
  }

  @Test
  void runWhosePartsHaveEndedAndThatIsNotMarkedSoEnds() {
    split(close(2), 2).forEach(worker::succeed);
    byHand("UPDATE jt_batch SET all_ended = FALSE");

    assertRepairs(Inconsistency.PARTS_MISCOUNTED, 1);

    tracker.runBatches();
    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  /** Otherwise parts would be released that were released before. */
  @Test
  void markOfReleasedPartsThatWasSetBackIsSetForward() {
    split(close(300), 1).forEach(worker::succeed);
    byHand("UPDATE jt_batch SET released = 200");

    assertRepairs(Inconsistency.PARTS_MISCOUNTED, 1);

    assertThat(batch().counts().released()).isEqualTo(256);
  }

  @Test
  void partThatWaitsAlthoughItHasEndedIsDeleted() {
    List<Assignment> parts = split(close(3), 2);
    parts.forEach(worker::succeed);
    int ended = parts.get(0).shard() + 1;
    stores
        .waiting()
        .insert(
            GROUP,
            List.of(
                batch()
                    .part(
                        ended,
                        tracker.ids().next(time.millis()),
                        StoredParams.NONE,
                        time.millis())));

    assertRepairs(Inconsistency.PART_WITHOUT_BATCH, 1);

    assertThat(waitingParts()).hasSize(1);
    runsToItsEnd(3);
  }

  @Test
  void partsOfARunThatIsGoneAreDeletedAndEnd() {
    split(close(4), 1);
    long id = batch().id();
    byHand("DELETE FROM jt_batch");

    assertRepairs(Inconsistency.PART_WITHOUT_BATCH, 3);

    assertThat(stores.waiting().findByTask(GROUP, PartKey.taskIdOf(id))).isEmpty();
    assertThat(stores.ledger().findByJob(id))
        .hasSize(3)
        .extracting(LedgerEntry::status)
        .containsOnly(LedgerStatus.CANCELLED);
  }

  @Test
  void endsThatTheLedgerHasForgottenAreNotMissed() {
    split(close(4), 2).forEach(worker::succeed);
    byHand("DELETE FROM jt_history");

    assertNothingToRepair();

    assertThat(batch().counts().ended().succeeded()).isEqualTo(2);
  }

  /** It may have run, and that may have been forgotten. */
  @Test
  void partOfWhichNothingIsKnownIsReported() {
    split(close(4), 2).forEach(worker::succeed);
    byHand("DELETE FROM jt_history");
    byHand("UPDATE jt_batch SET opened_at = 1");
    byHand(
        "DELETE FROM jt_waiting_orders WHERE ordinal = " + waitingParts().get(0).key().ordinal());

    assertThat(tracker.reconcile().failed()).isEqualTo(1);

    assertThat(logged()).singleElement().asString().contains("3 of its parts are in no table");
    assertThat(waitingParts()).hasSize(1);
  }

  @Test
  void runThatCouldGoOnAndDoesNotIsReported() {
    split(close(2), 2).forEach(worker::succeed);
    assertNothingToRepair();
    time.pass(MINUTE);

    assertThat(tracker.reconcile().failed()).isEqualTo(1);
    assertThat(logged()).singleElement().asString().contains("and it does not end");

    tracker.runBatches();
    assertNothingToRepair();
  }

  @Test
  void runOfWhichNothingIsReleasedIsReported() {
    split(close(300), 1);
    byHand("UPDATE jt_batch SET released = 0");
    byHand("DELETE FROM jt_waiting_orders");
    byHand("DELETE FROM jt_executing");
    assertNothingToRepair();
    time.pass(MINUTE);

    assertThat(tracker.reconcile().failed()).isEqualTo(1);

    assertThat(logged()).singleElement().asString().contains("none is released");
  }
}
