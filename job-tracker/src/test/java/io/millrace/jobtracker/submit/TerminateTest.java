package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.TerminateResult;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TerminateTest extends ServiceTest {
  private static final TerminateResult NOTHING = new TerminateResult(0);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void whatDoesNotRunIsNotTerminatedAndStaysAsItIs() {
    tracker.submit(job("close").at(inMillis(5_000)).build());

    assertThat(tracker.terminate("close")).isEqualTo(NOTHING);
    assertThat(tracker.terminate("unknown")).isEqualTo(NOTHING);
    assertThat(
            tracker
                .jobs()
                .terminator()
                .terminate(
                    HandDrivenTracker.CLIENT, new TerminateRequest("no-such-group", "close", null)))
        .satisfies(unused -> time.run())
        .isCompletedWithValue(NOTHING);
    assertThat(waiting("close")).hasSize(1);
  }

  @Test
  void workerIsAskedToInterruptTheInvocationAndItsTriggerEndsAsCancelledByWhom() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();

    assertThat(tracker.terminate("close")).isEqualTo(new TerminateResult(1));
    PullReply told = worker.beat();
    assertThat(told.interrupt()).containsExactly(running.executionId());
    assertThat(told.stopRequested()).containsExactly(running.executionId());
    worker.report(running, Outcome.INTERRUPTED);

    assertThat(ledger("close"))
        .singleElement()
        .satisfies(row -> assertThat(row.status().name()).isEqualTo("CANCELLED"))
        .extracting(LedgerEntry::cause)
        .isEqualTo(Cause.of(CauseCode.TERMINATED_BY, "shop/client-1"));
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void parkedPullOfTheWorkerIsAnsweredAtOnce() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();
    CompletableFuture<PullReply> parked = worker.pull(3);
    CompletableFuture<PullReply> ofAnother = tracker.worker("worker-2").pull(3);
    assertThat(parked).isNotDone();

    tracker.terminate("close");

    assertThat(parked).isCompleted();
    assertThat(parked.join().interrupt()).containsExactly(running.executionId());
    assertThat(ofAnother).isNotDone();
  }

  @Test
  void parkedPullIsAnsweredAtOnceForACancelTooAndInterruptsNothing() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();
    CompletableFuture<PullReply> parked = worker.pull(3);

    tracker.cancel("close");

    assertThat(parked).isCompleted();
    assertThat(parked.join().stopRequested()).containsExactly(running.executionId());
    assertThat(parked.join().interrupt()).isEmpty();
  }

  @Test
  void successStillCounts() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();
    tracker.terminate("close");

    assertThat(worker.succeed(running)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  @Test
  void lostExecutionThatWasTerminatedIsNotRescued() {
    tracker.submit(job("close").build());
    worker.takeOne();
    tracker.terminate("close");

    tracker.recoverFor(Duration.ofSeconds(20));

    assertThat(ends("close")).containsExactly("CANCELLED");
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void terminatingTwiceSaysTheSameAndTheFirstStaysRecorded() {
    tracker.submit(job("close").build());
    worker.takeOne();

    assertThat(tracker.terminate("close")).isEqualTo(new TerminateResult(1));
    assertThat(tracker.terminate("close")).isEqualTo(new TerminateResult(1));
    assertThat(executing("close").get(0).terminatedBy()).isEqualTo("shop/client-1");
  }

  @Test
  void oneExecutionOfSeveralIsTerminatedById() {
    tracker.submit(
        job("poll").every(Duration.ofSeconds(10)).overlap(OverlapPolicy.allow()).build());
    Assignment first = worker.takeOne();
    time.pass(Duration.ofSeconds(10));
    Assignment second = worker.takeOne();

    assertThat(tracker.terminate("poll", first.executionId())).isEqualTo(new TerminateResult(1));
    assertThat(worker.beat().interrupt()).containsExactly(first.executionId());
    assertThat(tracker.terminate("poll", second.executionId() + 1)).isEqualTo(NOTHING);
    assertThat(tracker.terminate("close", second.executionId()))
        .as("of another task id")
        .isEqualTo(NOTHING);
    worker.report(first, Outcome.EXCEPTION);
    worker.report(second, Outcome.EXCEPTION);

    assertThat(ends("poll")).containsExactly("CANCELLED", "RETRIED");
  }

  @Test
  void triggersToComeAreLeftAlone() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    Assignment running = worker.takeOne();
    int before = waiting("poll").size();

    tracker.terminate("poll");
    worker.report(running, Outcome.INTERRUPTED);

    assertThat(waiting("poll")).hasSize(before);
    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void chainGoesOnAfterATerminatedRun() {
    tracker.submit(job("chain").fixedDelay(Duration.ofSeconds(1)).build());
    Assignment running = worker.takeOne();
    tracker.terminate("chain");

    worker.report(running, Outcome.INTERRUPTED);

    assertThat(ends("chain")).containsExactly("CANCELLED");
    assertThat(waiting("chain")).hasSize(1);
    time.pass(Duration.ofSeconds(1));
    assertThat(worker.takeOne().taskId()).isEqualTo("chain");
  }

  @Test
  void nextInTheQueueIsCalledUpAfterATerminatedRun() {
    tracker.submit(
        job("poll").every(Duration.ofSeconds(10)).overlap(OverlapPolicy.queue(3)).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofSeconds(10));
    assertThat(worker.take(1)).isEmpty();

    tracker.terminate("poll");
    worker.report(running, Outcome.INTERRUPTED);

    assertThat(worker.takeOne().taskId()).isEqualTo("poll");
  }

  /** What another tracker has committed, this one learns from the table. */
  @Test
  void terminateOfAnotherTrackerReachesTheWorkerByTheTable() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();
    stores.executing().terminate(HandDrivenTracker.GROUP, "close", null, "shop/client-2");
    assertThat(worker.beat().interrupt()).isEmpty();

    tracker.adoptStrays();

    assertThat(worker.beat().interrupt()).isEqualTo(List.of(running.executionId()));
  }

  @Test
  void timeoutOfAJobIsHandedOutAndItsEndIsRetried() {
    tracker.submit(job("close").timeout(Duration.ofSeconds(30)).build());
    tracker.submit(
        job("poll").every(Duration.ofMinutes(1)).timeout(Duration.ofSeconds(30)).build());
    List<Assignment> taken = worker.take(2);
    assertThat(taken).extracting(Assignment::timeout).containsOnly(Duration.ofSeconds(30));

    taken.forEach(assignment -> worker.report(assignment, Outcome.TIMED_OUT));

    for (String taskId : List.of("close", "poll")) {
      assertThat(ledger(taskId))
          .singleElement()
          .satisfies(row -> assertThat(row.status().name()).isEqualTo("RETRIED"))
          .satisfies(
              row -> assertThat(row.cause()).isEqualTo(Cause.of(CauseCode.TIMED_OUT_SECONDS, 30)));
    }
    assertThat(waiting("close")).singleElement().extracting(row -> row.attempt()).isEqualTo(2);
  }
}
