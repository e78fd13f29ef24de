package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.fixture.SubmitBetween;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One-shots are stored alike whether they are inserted at once or looked for first. */
class CheckBeforeInsertHintTest extends ServiceTest {
  private static final SubmitStatus ACCEPTED = SubmitStatus.ACCEPTED;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void lookIsForABoundedNumberOfBatchesAfterTheLastThatFoundSomething() {
    CheckBeforeInsertHint lookFirst = new CheckBeforeInsertHint();
    assertThat(lookFirst.isDueIn("orders")).isFalse();

    lookFirst.met("orders");
    lookFirst.foundNothing("orders");
    lookFirst.met("orders");
    for (int batch = 1; batch < CheckBeforeInsertHint.BATCHES; batch++) {
      lookFirst.foundNothing("orders");
      assertThat(lookFirst.isDueIn("orders")).isTrue();
    }
    lookFirst.foundNothing("orders");

    assertThat(lookFirst.isDueIn("orders")).isFalse();
    lookFirst.foundNothing("orders");
    assertThat(lookFirst.isDueIn("orders")).isFalse();
  }

  @Test
  void lookOfOneNodeGroupIsNoneOfAnother() {
    CheckBeforeInsertHint lookFirst = new CheckBeforeInsertHint();
    lookFirst.met("orders");

    assertThat(lookFirst.isDueIn("billing")).isFalse();
  }

  /** All that can become of a one-shot, side by side in one transaction. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void jobsOfABatchAreAnsweredAloneWhateverIsKnownOfEach(boolean looks) {
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.submit("of-ended", job("ended").build());
    worker.succeed(worker.takeOne());
    tracker.submit("of-executing", job("executing").build());
    worker.takeOne();
    tracker.submit("of-waiting", job("waiting").at(inMillis(60_000)).build());
    tracker.submit(
        job("replaced").at(inMillis(60_000)).build(),
        job("recurring").every(MINUTE).at(inMillis(60_000)).build(),
        job("replaced-recurring").every(MINUTE).at(inMillis(60_000)).build());
    HandDrivenTracker taker = trackerThat(looks);

    List<SubmitResult> results =
        taker.submitAll(
            new JobSubmission("new-1", job("new-1").build()),
            new JobSubmission("of-ended", job("ended").build()),
            new JobSubmission("of-executing", job("executing").build()),
            new JobSubmission("of-waiting", job("waiting").build()),
            new JobSubmission("new-2", job("new-2").replaceExisting(true).build()),
            new JobSubmission("other-3", job("replaced").replaceExisting(true).build()),
            new JobSubmission("other-4", job("recurring").build()),
            new JobSubmission("other-5", job("replaced-recurring").replaceExisting(true).build()),
            new JobSubmission("new-1", job("new-1").build()),
            new JobSubmission("other-1", job("executing").replaceExisting(true).build()),
            new JobSubmission("other-2", job("waiting").build()),
            new JobSubmission("other-6", job("new-2").replaceExisting(true).build()));

    assertThat(results)
        .extracting(SubmitResult::status)
        .containsExactly(
            ACCEPTED,
            ACCEPTED,
            ACCEPTED,
            ACCEPTED,
            ACCEPTED,
            SubmitStatus.REPLACED,
            SubmitStatus.DUPLICATE,
            SubmitStatus.REPLACED,
            ACCEPTED,
            SubmitStatus.DUPLICATE,
            SubmitStatus.DUPLICATE,
            SubmitStatus.REPLACED);
    for (String one : List.of("new-1", "new-2", "waiting", "replaced", "replaced-recurring")) {
      assertThat(waiting(one)).as(one).hasSize(1);
    }
    for (String none : List.of("ended", "executing")) {
      assertThat(waiting(none)).as(none).isEmpty();
    }
    assertThat(ends("ended")).containsExactly("SUCCEEDED");
    assertThat(ends("replaced")).containsExactly("CANCELLED");
    assertThat(ends("new-2")).containsExactly("CANCELLED");
    assertThat(executing("executing")).hasSize(1);
    assertThat(definition("recurring").state().isLive()).isTrue();
    assertThat(definition("replaced-recurring").state().isLive()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void taskIdIsReplacedAgainAndAgain(boolean looks) {
    HandDrivenTracker taker = trackerThat(looks);
    taker.submit(job("close").at(inMillis(60_000)).build());

    for (int i = 0; i < 3; i++) {
      time.pass(Duration.ofMillis(1));
      assertThat(taker.submit(replacing("close").at(inMillis(60_000)).build()))
          .isEqualTo(SubmitResult.replaced("close"));
    }

    assertThat(waiting("close")).hasSize(1);
    assertThat(ends("close")).containsExactly("CANCELLED", "CANCELLED", "CANCELLED");
  }

  /** The other submit commits when this one has looked and not yet inserted. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fasterSubmitOfTheSameTaskIdWins(boolean looks) {
    SubmitBetween between = new SubmitBetween();
    HandDrivenTracker slower = trackerThat(looks, between);
    between.beforeNextInsert(
        () -> assertThat(tracker.submit(job("close").build()).status()).isEqualTo(ACCEPTED));

    List<SubmitResult> results =
        slower.submit(job("open").build(), job("close").build(), job("lock").build());

    assertThat(results)
        .extracting(SubmitResult::status)
        .containsExactly(ACCEPTED, SubmitStatus.DUPLICATE, ACCEPTED);
    for (String taskId : List.of("open", "close", "lock")) {
      assertThat(waiting(taskId)).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fasterSubmitOfTheSameTaskIdIsReplacedIfItMayBe(boolean looks) {
    SubmitBetween between = new SubmitBetween();
    HandDrivenTracker slower = trackerThat(looks, between);
    between.beforeNextInsert(() -> tracker.submit(job("close").build()));

    assertThat(slower.submit(replacing("close").build()).status()).isEqualTo(SubmitStatus.REPLACED);

    assertThat(waiting("close")).hasSize(1);
    assertThat(ends("close")).containsExactly("CANCELLED");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resendThatIsFasterThanTheFirstSendIsTheOneThatIsStored(boolean looks) {
    SubmitBetween between = new SubmitBetween();
    HandDrivenTracker slower = trackerThat(looks, between);
    between.beforeNextInsert(() -> tracker.submit("submission-1", job("close").build()));

    assertThat(slower.submit("submission-1", replacing("close").build()).status())
        .isEqualTo(ACCEPTED);

    assertThat(waiting("close")).hasSize(1);
    assertThat(ledger("close")).isEmpty();
  }

  private HandDrivenTracker trackerThat(boolean looks) {
    return trackerThat(looks, new SubmitBetween());
  }

  /** A tracker that looks first next time, because of a task id that waits already, or does not. */
  private HandDrivenTracker trackerThat(boolean looks, SubmitBetween between) {
    HandDrivenTracker taker = new HandDrivenTracker(2, between.around(stores), time);
    if (looks) {
      Job again = job("again").at(inMillis(600_000)).build();
      taker.submit(again);
      assertThat(taker.submit(again).status()).isEqualTo(SubmitStatus.DUPLICATE);
    }
    int before = between.looks();
    taker.submit(job("probe-" + looks).at(inMillis(600_000)).build());
    assertThat(between.looks() - before).as("whether it looks").isEqualTo(looks ? 1 : 0);
    return taker;
  }

  private static Job.Builder replacing(String taskId) {
    return job(taskId).replaceExisting(true);
  }
}
