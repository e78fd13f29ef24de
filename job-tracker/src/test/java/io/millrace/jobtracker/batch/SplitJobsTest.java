package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ChangeStatus;
import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done with a job while a run of it is split, and with its parts. */
class SplitJobsTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  private static Job.Builder poll() {
    return job("poll").every(MINUTE).shards(2).retry(RetryPolicy.NONE);
  }

  /** Splits the run that is due, and takes both of its parts. */
  private List<Assignment> takeBoth() {
    List<Assignment> parts = new ArrayList<>(worker.take(1));
    if (parts.size() < 2) {
      parts.addAll(worker.take(2 - parts.size()));
    }
    assertThat(parts).hasSize(2);
    return parts;
  }

  private List<Assignment> takeBothOf(Job.Builder builder) {
    assertThat(tracker.submit(builder.build()).isStored()).isTrue();
    return takeBoth();
  }

  private void end(List<Assignment> parts) {
    parts.forEach(worker::succeed);
    assertThat(tracker.runBatches()).isNotNull();
  }

  private LedgerStatus statusOf(String taskId) {
    return ledger(taskId).stream()
        .filter(row -> row.status().isFinal())
        .reduce((first, second) -> second)
        .orElseThrow()
        .status();
  }

  // One-shots.

  @Test
  void resendOfTheSubmitIsKnownWhileTheRunIsSplitAndAfterItsEnd() {
    tracker.submit("submission-1", job("close").shards(2).build());
    List<Assignment> parts = takeBoth();

    assertThat(tracker.submit("submission-1", job("close").shards(2).build()))
        .isEqualTo(SubmitResult.accepted("close"));
    end(parts);
    for (boolean replace : new boolean[] {false, true}) {
      assertThat(
              tracker.submit(
                  "submission-1", job("close").shards(2).replaceExisting(replace).build()))
          .isEqualTo(SubmitResult.accepted("close"));
    }

    assertThat(waiting("close")).isEmpty();
    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  @Test
  void splitOneShotIsNotReplacedAndItsTaskIdIsFreeAtItsEnd() {
    List<Assignment> parts = takeBothOf(job("close").shards(2));

    SubmitResult replaced = tracker.submit(job("close").shards(3).replaceExisting(true).build());
    assertThat(replaced.status()).isEqualTo(SubmitStatus.DUPLICATE);
    end(parts);

    assertThat(tracker.submit(job("close").shards(3).build()).status())
        .isEqualTo(SubmitStatus.ACCEPTED);
  }

  // Recurring jobs.

  @Test
  void nextRunIsSkippedAsLongAsOneIsSplit() {
    List<Assignment> parts = takeBothOf(poll().at(inMillis(0)).overlap(OverlapPolicy.skip()));
    time.pass(MINUTE);
    assertThat(worker.take(5)).isEmpty();
    assertThat(statusOf("poll")).isEqualTo(LedgerStatus.SKIPPED);

    end(parts);
    time.pass(MINUTE);

    end(takeBoth());
    assertThat(statusOf("poll")).isEqualTo(LedgerStatus.SUCCEEDED);
  }

  @Test
  void editedJobKeepsTheTurnOfItsSplitRun() {
    Job.Builder skips = poll().at(inMillis(0)).overlap(OverlapPolicy.skip());
    List<Assignment> parts = takeBothOf(skips);
    tracker.submit(skips.priority(9).replaceExisting(true).build());
    time.pass(MINUTE);
    assertThat(worker.take(5)).isEmpty();

    end(parts);

    assertThat(stores.jobs().turns(definition("poll").id()).running()).isZero();
  }

  @Test
  void runOnRequestIsHeldUntilTheSplitRunEnds() {
    List<Assignment> parts = takeBothOf(poll().at(inMillis(0)).overlap(OverlapPolicy.queue(3)));
    tracker.runNow("poll");
    assertThat(worker.take(5)).isEmpty();
    assertThat(waiting("poll")).anyMatch(WaitingTrigger::isHeld);

    end(parts);

    end(takeBoth());
    assertThat(ledger("poll")).filteredOn(row -> row.key().isExtra()).hasSize(1);
  }

  @Test
  void runsOfAJobThatAllowsThemAreSplitSideBySide() {
    List<Assignment> first = takeBothOf(poll().at(inMillis(0)).overlap(OverlapPolicy.allow()));
    tracker.runNow("poll");
    List<Assignment> second = takeBoth();
    assertThat(stores.batches().findByTask(GROUP, "poll")).hasSize(2);

    second.forEach(worker::succeed);
    tracker.runBatches();
    end(first);

    assertThat(ends("poll")).containsExactly("SUCCEEDED", "SUCCEEDED");
  }

  @Test
  void pausedJobGoesOnToTheEndOfItsRunRetriesIncluded() {
    tracker.submit(
        poll().at(inMillis(0)).retry(RetryPolicy.retries(1).withDelays(MINUTE, MINUTE)).build());
    List<Assignment> parts = takeBoth();
    assertThat(tracker.pause("poll").status()).isEqualTo(ChangeStatus.CHANGED);
    worker.succeed(parts.get(0));
    worker.report(parts.get(1), Outcome.EXCEPTION);
    time.pass(MINUTE.multipliedBy(3));

    end(List.of(worker.takeOne()));

    assertThat(statusOf("poll")).isEqualTo(LedgerStatus.SUCCEEDED);
    assertThat(definition("poll").state()).isEqualTo(JobState.PAUSED);
    assertThat(worker.take(5)).isEmpty();
  }

  @Test
  void cancelledChainHasNoNextTrigger() {
    List<Assignment> parts = takeBothOf(job("poll").fixedDelay(MINUTE).shards(2));

    assertThat(tracker.cancel("poll").running()).isEqualTo(1);
    assertThat(batch().state()).isEqualTo(BatchState.STOPPING);
    assertThat(worker.pull(0).join().stopRequested())
        .containsExactlyInAnyOrderElementsOf(parts.stream().map(Assignment::executionId).toList());
    end(parts);

    assertThat(waiting("poll")).isEmpty();
    assertThat(statusOf("poll")).isEqualTo(LedgerStatus.CANCELLED);
    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void terminatedRunOfAChainIsFollowedByTheNextTrigger() {
    List<Assignment> parts = takeBothOf(job("poll").fixedDelay(MINUTE).shards(2));
    long runId = batch().id();

    assertThat(tracker.terminate("poll", runId + 1).running()).isZero();
    assertThat(tracker.terminate("poll", runId).running()).isEqualTo(1);
    parts.forEach(part -> worker.report(part, Outcome.EXCEPTION));
    tracker.runBatches();

    assertThat(statusOf("poll")).isEqualTo(LedgerStatus.CANCELLED);
    assertThat(waiting("poll")).hasSize(1);
  }

  @Test
  void runOfAJobThatIsDeletedEnds() {
    List<Assignment> parts = takeBothOf(poll().at(inMillis(0)).overlap(OverlapPolicy.queue(3)));
    byHand("DELETE FROM jt_job");
    byHand("DELETE FROM jt_waiting_orders");

    end(parts);

    assertThat(statusOf("poll")).isEqualTo(LedgerStatus.SUCCEEDED);
  }

  // Dead parts.

  @Test
  void deadRunIsReplayedAsAWholeAndThenItsDeadPartIsNot() {
    List<Assignment> parts = takeBothOf(job("close").shards(2).retry(RetryPolicy.NONE));
    long runId = batch().id();
    worker.report(parts.get(0), Outcome.EXCEPTION);
    DeadTrigger part = dead(PartKey.taskIdOf(runId)).get(0);
    worker.succeed(parts.get(1));
    tracker.runBatches();
    assertThat(tracker.replay(part.id()).status()).isEqualTo(ReplayResult.Status.REFUSED);

    assertThat(tracker.replay(dead("close").get(0).id()).status())
        .isEqualTo(ReplayResult.Status.REPLAYED);

    end(takeBoth());
    assertThat(ends("close")).containsExactly("DEAD", "SUCCEEDED");
  }

  // Parts.

  @Test
  void partThatExceedsItsTimeOutIsRetriedAndThenMakesTheRunDead() {
    List<Assignment> parts =
        takeBothOf(
            job("close")
                .shards(2)
                .timeout(Duration.ofSeconds(10))
                .retry(RetryPolicy.retries(1).withDelays(MINUTE, MINUTE)));
    worker.succeed(parts.get(0));
    waitForTimeOut();
    assertThat(batch().counts().live()).isEqualTo(1);
    time.pass(MINUTE.multipliedBy(2));
    worker = tracker.worker("worker-2");
    assertThat(worker.takeOne().attempt()).isEqualTo(2);

    waitForTimeOut();
    tracker.runBatches();

    assertThat(statusOf("close")).isEqualTo(LedgerStatus.DEAD);
  }

  private void waitForTimeOut() {
    int ended = 0;
    for (int i = 0; i < 200 && ended == 0; i++) {
      worker.beat();
      ended = tracker.recoverFor(Duration.ofSeconds(1));
    }
    assertThat(ended).isPositive();
  }

  @Test
  void drainedWorkerKeepsItsPartAndGetsNoOther() {
    tracker.submit(job("close").shards(3).build());
    Assignment running = worker.takeOne();
    tracker.desk().drain(List.of(new Drain("worker-1", GROUP, 0)));
    assertThat(worker.take(5)).isEmpty();
    HandDrivenWorker other = tracker.worker("worker-2");
    List<Assignment> rest = other.take(5);
    assertThat(rest).hasSize(2);

    worker.succeed(running);
    rest.forEach(other::succeed);
    tracker.runBatches();

    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  @Test
  void partThatAsksToRunLaterOrIsInterruptedStaysAPart() {
    List<Assignment> parts = takeBothOf(job("close").shards(2));
    worker.later(parts.get(0), MINUTE);
    worker.report(parts.get(1), Outcome.INTERRUPTED);
    assertThat(batch().counts().ended()).isEqualTo(PartEnds.NONE);
    time.pass(MINUTE);

    List<Assignment> again = worker.take(5);

    assertThat(again).extracting(Assignment::shard).containsExactlyInAnyOrder(0, 1);
    end(again);
    assertThat(statusOf("close")).isEqualTo(LedgerStatus.SUCCEEDED);
  }

  @Test
  void partIsTerminatedByItself() {
    List<Assignment> parts = takeBothOf(job("close").shards(2));
    String ofParts = PartKey.taskIdOf(batch().id());

    assertThat(tracker.terminate(ofParts, parts.get(0).executionId()).running()).isEqualTo(1);
    worker.report(parts.get(0), Outcome.INTERRUPTED);
    worker.succeed(parts.get(1));
    tracker.runBatches();

    assertThat(ledger("close"))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.status()).isEqualTo(LedgerStatus.FAILED);
              assertThat(end.cause().code()).isEqualTo(CauseCode.PARTS_FAILED);
            });
  }

  /** Nobody would count them as ended, and the run would never end. */
  @Test
  void partsAreNotCancelledWithoutTheirRun() {
    tracker.submit(job("close").shards(4).build());
    Assignment running = worker.takeOne();
    String ofParts = PartKey.taskIdOf(batch().id());

    assertThatThrownBy(() -> tracker.cancel(ofParts)).hasMessageContaining("parts of a run");
    assertThat(tracker.submit(job(ofParts).build()).isStored()).isFalse();

    worker.succeed(running);
    List<Assignment> rest = worker.take(5);
    assertThat(rest).hasSize(3);
    end(rest);
  }

  @Test
  void partsOfAStoppedRunThatFailHaveNoFurtherAttempt() {
    List<Assignment> parts = takeBothOf(job("close").shards(2).retry(RetryPolicy.retries(5)));
    long runId = batch().id();
    tracker.terminate("close");

    worker.report(parts.get(0), Outcome.EXCEPTION);
    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.multipliedBy(2));
    tracker.runBatches();

    assertThat(waiting(PartKey.taskIdOf(runId))).isEmpty();
    assertThat(ledger(PartKey.taskIdOf(runId)))
        .extracting(LedgerEntry::status)
        .containsOnly(LedgerStatus.CANCELLED);
    assertThat(statusOf("close")).isEqualTo(LedgerStatus.CANCELLED);
  }
}
