package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ChangeStatus;
import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A run that was split has no row in waiting or executing, and is under way all the same: for its
 * submit, for its task id, for the turns of its job, and for the next trigger of a chain.
 */
class SplitRunTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  /** Moves the run that the worker takes next to where it is once it has split itself. */
  private Batch split() {
    Assignment taken = worker.takeOne();
    Execution run = stores.executing().find(List.of(taken.executionId())).get(0);
    Batch batch = Batch.opened(run, BatchKind.MAP, 2);
    stores
        .transactions()
        .run(
            "split",
            () -> {
              stores.batches().insert(List.of(batch));
              assertThat(stores.executing().delete(List.of(run.id()))).isEqualTo(1);
            });
    return batch;
  }

  // One-shots.

  @Test
  void resendOfItsSubmitIsKnown() {
    tracker.submit("submission-1", job("close").build());
    split();

    for (boolean replace : new boolean[] {false, true}) {
      assertThat(tracker.submit("submission-1", job("close").replaceExisting(replace).build()))
          .isEqualTo(SubmitResult.accepted("close"));
    }
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void itsTaskIdIsTaken() {
    tracker.submit("submission-1", job("close").build());
    Batch batch = split();

    for (Job.Builder another :
        List.of(job("close"), job("close").every(MINUTE), job("close").fixedDelay(MINUTE))) {
      SubmitResult result = tracker.submit("submission-2", another.build());

      assertThat(result.status()).isEqualTo(SubmitStatus.DUPLICATE);
    }
    assertThat(waiting("close")).isEmpty();
    assertThat(tracker.runNow("close").message()).contains("is a one-shot");
    assertThat(stores.batches().find(List.of(batch.id()))).containsExactly(batch);
  }

  @Test
  void repeatedReportOfTheAttemptThatSplitIsAcceptedOfItsWorkerOnly() {
    tracker.submit(job("close").build());
    Batch batch = split();

    assertThat(worker.report(worker.result(batch.id(), Outcome.SUCCESS, null)))
        .isEqualTo(CompletionStatus.ACCEPTED);
    HandDrivenWorker another = tracker.worker("worker-2");
    assertThat(another.report(another.result(batch.id(), Outcome.SUCCESS, null)))
        .isEqualTo(CompletionStatus.REFUSED);
    assertThat(ends("close")).isEmpty();
  }

  @Test
  void deadOneOfTheSameTaskIdIsNotReplayedBesideIt() {
    tracker.submit("submission-1", job("close").retry(RetryPolicy.NONE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    tracker.submit("submission-2", job("close").build());
    split();

    ReplayResult result = tracker.replay(dead("close").get(0).id());

    assertThat(result.status()).isEqualTo(ReplayResult.Status.REFUSED);
    assertThat(result.message()).contains("is in use");
  }

  @Test
  void deadPartIsReplayedAsAPartAndNotAsAOneShot() {
    tracker.submit(job("close").retry(RetryPolicy.NONE).build());
    Batch batch = split();
    WaitingTrigger part =
        batch.part(1, tracker.ids().next(time.millis()), batch.run().params(), time.millis());
    assertThat(stores.batches().release(batch.id(), 0, 1)).isTrue();
    stores.waiting().insert(GROUP, List.of(part));
    tracker.load();
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    ReplayResult result = tracker.replay(dead("#" + batch.id()).get(0).id());

    assertThat(result.key()).isEqualTo(new PartKey(batch.id(), 3).trigger());
    assertThat(waiting("#" + batch.id())).as("it is released in its turn").isEmpty();
    assertThat(ledger("#" + batch.id()))
        .singleElement()
        .satisfies(row -> assertThat(row.origin().submissionId()).isNull());
  }

  // Recurring jobs.

  @Test
  void nextTriggerDoesNotRunBesideItWhenTheJobIsEdited() {
    Job.Builder poll = job("poll").every(MINUTE).at(inMillis(0)).overlap(OverlapPolicy.skip());
    tracker.submit(poll.build());
    split();

    tracker.submit(poll.priority(7).replaceExisting(true).build());
    time.pass(MINUTE);

    assertThat(worker.take(5)).isEmpty();
    assertThat(stores.jobs().turns(definition("poll").id()).running()).isEqualTo(1);
  }

  @Test
  void nextTriggerDoesNotRunBesideItWhenTurnsAreCountedAgain() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(0)).overlap(OverlapPolicy.skip()).build());
    split();
    byHand("UPDATE jt_job SET running = 0");

    tracker.reconcile();
    time.pass(MINUTE);

    assertThat(worker.take(5)).as("but its parts").allMatch(run -> run.part() != null);
    assertThat(stores.jobs().turns(definition("poll").id()).running()).isEqualTo(1);
  }

  @Test
  void chainHasNoSecondTrigger() {
    tracker.submit(job("poll").fixedDelay(MINUTE).build());
    split();

    tracker.reconcile();

    assertThat(waiting("poll")).isEmpty();
    assertThat(tracker.pause("poll").status()).isEqualTo(ChangeStatus.CHANGED);
    assertThat(tracker.resume("poll").message()).contains("continues when the running");
    assertThat(waiting("poll")).isEmpty();
  }

  @Test
  void jobIsNotFinishedBefore() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(0)).times(1).build());
    split();

    tracker.generate();
    time.pass(MINUTE);
    tracker.generate();

    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void requestThatRanItIsKnown() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    tracker.runNow("poll");
    Batch batch = split();

    assertThat(batch.run().key().isExtra()).isTrue();
    assertThat(stores.runs().findByTasks(GROUP, List.of("poll")))
        .extracting(run -> run.spec().submissionId())
        .containsExactly(batch.run().spec().submissionId());
  }

  @Test
  void pauseLeavesItAlone() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(0)).build());
    Batch batch = split();

    assertThat(tracker.pause("poll").running()).isEqualTo(1);

    assertThat(stores.batches().find(List.of(batch.id()))).hasSize(1);
  }
}
