package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.CLIENT;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.JobEdit;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.fixture.TrackerStoreCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs whose handler is {@value #NEW} use something that came with the second level. */
class FeatureSubmitTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String NEW = "new";
  private static final FeatureLevel SECOND = new FeatureLevel(2, "batches");

  private final TrackerStoreCalls calls = new TrackerStoreCalls();

  @BeforeEach
  void openNewerTracker() {
    tracker = newerTracker(1);
    List<String> unused = calls.take();
  }

  /** One that has admitted nothing yet, and that owns the node group from now on. */
  private HandDrivenTracker newerTracker(int number) {
    return new HandDrivenTracker(
        number,
        calls.around(stores),
        time,
        job -> NEW.equals(job.handler()) ? SECOND : FeatureLevel.NONE);
  }

  private void olderTracker() {
    byHand(
        "INSERT INTO jt_tracker (number, tracker_id, address, lease_until)"
            + " VALUES (3, 'old', 'old:1', %d)".formatted(Long.MAX_VALUE));
  }

  private static Job.Builder newJob(String taskId) {
    return job(taskId).handler(NEW);
  }

  private static void assertTooOld(SubmitResult result) {
    assertThat(result.status()).isEqualTo(SubmitStatus.REJECTED);
    assertThat(result.reason()).isEqualTo(RejectReason.TRACKER_TOO_OLD);
    assertThat(result.message())
        .startsWith("it needs trackers of feature level 2 (batches), and tracker 3 (old)");
  }

  private List<JobResult> declare(HandDrivenTracker by, Job... jobs) {
    CompletableFuture<DeclareReply> reply =
        by.jobs()
            .declarer()
            .declare(
                CLIENT,
                new DeclareRequest(
                    "declaration-" + time.millis(),
                    "billing",
                    null,
                    0,
                    true,
                    false,
                    false,
                    false,
                    List.of(jobs)));
    time.run();
    return reply.join().jobs();
  }

  /** Neither at the submit nor later. */
  @Test
  void jobsThatUseNothingNewCostNoStatementAboutTrackers() {
    olderTracker();

    assertThat(tracker.submit(job("once").build(), job("poll").every(MINUTE).build()))
        .extracting(SubmitResult::status)
        .containsOnly(SubmitStatus.ACCEPTED);
    assertThat(
            tracker.edit(
                job("poll").every(MINUTE.multipliedBy(2)).build(), new JobEdit(null, null)))
        .extracting(SubmitResult::status)
        .isEqualTo(SubmitStatus.REPLACED);
    assertThat(declare(tracker, job("declared").every(MINUTE).build()))
        .extracting(JobResult::change)
        .containsExactly(Change.ADDED);
    tracker.runNow("poll");

    assertThat(calls.take()).isEmpty();
    assertThat(waiting("once").get(0).spec().needs()).isNull();
  }

  @Test
  void jobIsRejectedWhileAnOlderTrackerLivesAndOthersOfTheRequestAreStored() {
    olderTracker();

    List<SubmitResult> results =
        tracker.submit(
            job("a").build(),
            newJob("b").build(),
            newJob("c").every(MINUTE).build(),
            job("d").every(MINUTE).build());

    assertThat(results.get(0).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertTooOld(results.get(1));
    assertTooOld(results.get(2));
    assertThat(results.get(3).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(waiting("b")).isEmpty();
    assertThat(waiting("c")).isEmpty();
    assertThat(stores.jobs().find(GROUP, "c")).isEmpty();
    assertThat(stores.trackers().requiredLevel()).isEqualTo(FeatureLevel.NONE);

    byHand("DELETE FROM jt_tracker");
    assertThat(tracker.submit(newJob("b").build()).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(stores.trackers().requiredLevel()).isEqualTo(SECOND);
  }

  @Test
  void whatIsStoredSaysWhatItNeeds() {
    tracker.submit(newJob("once").build(), newJob("poll").every(MINUTE).build());

    assertThat(waiting("once").get(0).spec().neededLevel()).isEqualTo(SECOND);
    assertThat(definition("poll").spec().neededLevel()).isEqualTo(SECOND);
    tracker.load();
    tracker.worker("worker-1").take(1);
    assertThat(executing("once").get(0).spec().neededLevel()).isEqualTo(SECOND);
  }

  @Test
  void editThatBringsSomethingNewIsRejectedAndTheJobStaysAsItWas() {
    tracker.submit(job("poll").every(MINUTE).build());
    olderTracker();

    assertTooOld(tracker.edit(newJob("poll").every(MINUTE).build(), new JobEdit(null, null)));
    assertTooOld(tracker.submit(newJob("poll").every(MINUTE).replaceExisting(true).build()));

    assertThat(definition("poll").version()).isEqualTo(1);
    assertThat(definition("poll").spec().needs()).isNull();
  }

  @Test
  void declaredJobIsRejectedAndTheOthersAreStored() {
    olderTracker();

    List<JobResult> results =
        declare(tracker, job("a").every(MINUTE).build(), newJob("b").every(MINUTE).build());

    assertThat(results)
        .extracting(JobResult::change)
        .containsExactly(Change.ADDED, Change.REJECTED);
    assertThat(results.get(1).reason()).isEqualTo(RejectReason.TRACKER_TOO_OLD);
    assertThat(results.get(1).message()).contains("tracker 3 (old)");
    assertThat(stores.jobs().find(GROUP, "b")).isEmpty();
  }

  private SubmitResult relayed(String submissionId, Job job, long epoch) {
    return tracker
        .submitAll(new JobSubmission(submissionId, job).relayedBy(new RelayEpoch("shop/3", epoch)))
        .get(0);
  }

  /** Its relay has set the job aside as rejected. */
  @Test
  void lateCopyOfARelayedSubmitThatWasRejectedStoresNothing() {
    olderTracker();
    assertTooOld(relayed("s-1", newJob("once").build(), 7));
    byHand("DELETE FROM jt_tracker");

    assertThat(relayed("s-1", newJob("once").build(), 6).reason()).isEqualTo(RejectReason.OUTDATED);
    assertThat(waiting("once")).isEmpty();
    assertThat(relayed("s-2", newJob("once").build(), 8)).isEqualTo(SubmitResult.accepted("once"));
  }

  /** It was stored when no older tracker lived; one that states no level has come since. */
  @Test
  void resendIsAnsweredFromTheRecordWhereverTheJobIsByNow() {
    Job once = newJob("once").build();
    tracker.submit("s-once", once);
    olderTracker();
    HandDrivenTracker other = newerTracker(2);

    assertThat(other.submit("s-once", once).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(waiting("once")).hasSize(1);

    other.load();
    HandDrivenWorker worker = other.worker("worker-1");
    Assignment taken = worker.takeOne();
    assertThat(other.submit("s-once", once).status()).isEqualTo(SubmitStatus.ACCEPTED);
    worker.succeed(taken);
    assertThat(other.submit("s-once", once).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(ends("once")).containsExactly("SUCCEEDED");
    assertThat(waiting("once")).isEmpty();

    assertTooOld(other.submit("s-later", once));
  }

  @Test
  void resendIsAnsweredFromTheRecordWhileTheRunIsSplit() {
    Job once = newJob("once").build();
    tracker.submit("s-once", once);
    HandDrivenWorker worker = tracker.worker("worker-1");
    worker.map(worker.takeOne(), 1);
    assertThat(stores.batches().findByTask(GROUP, "once")).hasSize(1);
    olderTracker();
    HandDrivenTracker other = newerTracker(2);

    assertThat(other.submit("s-once", once).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertTooOld(other.submit("s-later", once));
    assertThat(waiting("once")).isEmpty();
  }

  @Test
  void resendOfARecurringJobIsAnsweredFromTheRecordEvenOnceItEnded() {
    Job poll = newJob("poll").every(MINUTE).build();
    tracker.submit("s-poll", poll);
    olderTracker();
    HandDrivenTracker other = newerTracker(2);

    assertThat(other.submit("s-poll", poll).status()).isEqualTo(SubmitStatus.ACCEPTED);
    other.cancel("poll");
    assertThat(other.submit("s-poll", poll).status()).isEqualTo(SubmitStatus.ACCEPTED);

    assertThat(waiting("poll")).isEmpty();
    assertTooOld(other.submit("s-later", poll));
  }

  @Test
  void deadOneShotIsReplayedOnceEveryTrackerKnowsWhatItUses() {
    tracker.submit(newJob("once").retry(RetryPolicy.NONE).build());
    tracker.load();
    HandDrivenWorker worker = tracker.worker("worker-1");
    worker.report(worker.take(1).get(0), Outcome.EXCEPTION);
    long dead = dead("once").get(0).id();
    olderTracker();
    HandDrivenTracker other = newerTracker(2);

    ReplayResult refused = other.replay(dead);

    assertThat(refused.status()).isEqualTo(ReplayResult.Status.REFUSED);
    assertThat(refused.message()).contains("tracker 3 (old)");
    assertThat(waiting("once")).isEmpty();
    byHand("DELETE FROM jt_tracker");
    assertThat(other.replay(dead).status()).isEqualTo(ReplayResult.Status.REPLAYED);
  }
}
