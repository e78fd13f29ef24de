package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ChangeStatus;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that uses a submission id for two requests is told so: the second is never acknowledged
 * on the strength of the record of the first. It is refused once the first has left the record in
 * the ledger that it is looked up by, and stored like any other before that.
 */
class SubmissionIdTest extends ServiceTest {
  private static final String ID = "submission-1";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  /** What the id came with first. Each has ended, or ran once, under the task id "first". */
  enum First {
    ONE_SHOT,
    RECURRING,
    EXTRA_RUN
  }

  private void submitAndRun(First first) {
    switch (first) {
      case ONE_SHOT -> tracker.submit(ID, job("first").build());
      case RECURRING -> tracker.submit(ID, job("first").every(MINUTE).build());
      case EXTRA_RUN -> {
        tracker.submit("other", job("first").every(MINUTE).at(inMillis(60_000)).build());
        tracker.runNow(ID, "first", null);
      }
    }
    worker.succeed(worker.takeOne());
  }

  private static SubmitResult refused(String taskId) {
    return SubmitResult.rejected(
        taskId,
        RejectReason.BAD_SUBMISSION_ID,
        "submission id 'submission-1' belongs to another request, about orders/first; each"
            + " request needs its own id");
  }

  @ParameterizedTest
  @EnumSource
  void oneShotUnderTheIdOfAnotherTaskIsRefused(First first) {
    submitAndRun(first);

    assertThat(tracker.submit(ID, job("second").build())).isEqualTo(refused("second"));

    assertThat(waiting("second")).isEmpty();
    assertThat(tracker.submit("its-own", job("second").build()).isStored()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void recurringJobUnderTheIdOfAnotherTaskIsRefused(First first) {
    submitAndRun(first);

    assertThat(tracker.submit(ID, job("second").every(MINUTE).build()))
        .isEqualTo(refused("second"));

    assertThat(waiting("second")).isEmpty();
    assertThat(stores.jobs().find(GROUP, "second")).isEmpty();
  }

  @Test
  void theSameTaskIdInAnotherNodeGroupIsAnother() {
    submitAndRun(First.ONE_SHOT);

    assertThat(tracker.submit(ID, Job.builder("billing", "first").build()))
        .isEqualTo(refused("first"));
    assertThat(tracker.submit(ID, Job.builder("billing", "first").every(MINUTE).build()))
        .isEqualTo(refused("first"));

    assertThat(stores.waiting().findByTask("billing", "first")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatLivesUnderTheTaskIdIsNotReplacedByWhatIsRefused(boolean recurring) {
    submitAndRun(First.ONE_SHOT);
    Job second = (recurring ? job("second").every(MINUTE) : job("second").at(inMillis(9))).build();
    tracker.submit("its-own", second);
    List<WaitingTrigger> before = waiting("second");

    Job.Builder replacing = job("second").replaceExisting(true);
    assertThat(tracker.submit(ID, replacing.build())).isEqualTo(refused("second"));
    assertThat(tracker.submit(ID, replacing.every(MINUTE).build())).isEqualTo(refused("second"));

    assertThat(waiting("second")).isEqualTo(before);
  }

  @Test
  void aOneShotIsNoRecurringJobOfItsTaskId() {
    submitAndRun(First.RECURRING);
    tracker.cancel("first");

    assertThat(tracker.submit(ID, job("first").build())).isEqualTo(refused("first"));

    assertThat(waiting("first")).isEmpty();
  }

  @Test
  void aRecurringJobIsNoOneShotOfItsTaskId() {
    submitAndRun(First.ONE_SHOT);
    tracker.submit("its-own", job("first").every(MINUTE).build());
    tracker.cancel("first");

    assertThat(tracker.submit(ID, job("first").every(MINUTE).build())).isEqualTo(refused("first"));
  }

  @ParameterizedTest
  @EnumSource(
      value = First.class,
      names = {"ONE_SHOT", "RECURRING"})
  void runUnderTheIdOfASubmitIsRefused(First first) {
    submitAndRun(first);
    tracker.submit("its-own", job("second").every(MINUTE).at(inMillis(60_000)).build());

    RunNowResult answer = tracker.runNow(ID, "second", null);

    assertThat(answer.status()).isEqualTo(ChangeStatus.REFUSED);
    assertThat(answer.message()).isEqualTo("BAD_SUBMISSION_ID: " + refused("second").message());
    assertThat(waiting("second")).noneMatch(row -> row.key().isExtra());
  }

  @Test
  void oneRequestMayNotUseAnIdForTwoJobs() {
    List<SubmitResult> answers =
        tracker.submitAll(
            new JobSubmission(ID, job("first").build()),
            new JobSubmission(ID, job("second").build()),
            new JobSubmission(ID, Job.builder("billing", "first").build()),
            new JobSubmission(ID, job("first").build()),
            new JobSubmission("its-own", job("third").build()));

    assertThat(answers)
        .containsExactly(
            SubmitResult.accepted("first"),
            refused("second"),
            refused("first"),
            SubmitResult.accepted("first"),
            SubmitResult.accepted("third"));
    assertThat(waiting("first")).hasSize(1);
    assertThat(waiting("second")).isEmpty();
  }

  @Test
  void oneOfABatchIsRefusedByTheLedgerAndTheOthersAreStored() {
    submitAndRun(First.ONE_SHOT);

    assertThat(
            tracker.submitAll(
                new JobSubmission("a", job("second").build()),
                new JobSubmission(ID, job("third").build()),
                new JobSubmission("b", job("fourth").build())))
        .containsExactly(
            SubmitResult.accepted("second"), refused("third"), SubmitResult.accepted("fourth"));
    assertThat(waiting("third")).isEmpty();
  }

  /** Both were stored before either had ended: each is known by its own rows from then on. */
  @Test
  void whatWasStoredUnderASharedIdIsKnownForEachTask() {
    assertThat(tracker.submit(ID, job("first").build()).isStored()).isTrue();
    assertThat(tracker.submit(ID, job("second").build()).isStored()).isTrue();
    assertThat(waiting("first")).hasSize(1);
    assertThat(waiting("second")).hasSize(1);

    worker.succeed(worker.takeOne());
    assertThat(tracker.submit(ID, job("first").build())).isEqualTo(SubmitResult.accepted("first"));
    assertThat(tracker.submit(ID, job("second").build()))
        .isEqualTo(SubmitResult.accepted("second"));
    assertThat(waiting("second")).hasSize(1);

    worker.succeed(worker.takeOne());
    assertThat(tracker.submit(ID, job("first").build())).isEqualTo(SubmitResult.accepted("first"));
    assertThat(tracker.submit(ID, job("second").build()))
        .isEqualTo(SubmitResult.accepted("second"));
    assertThat(waiting("first")).isEmpty();
    assertThat(waiting("second")).isEmpty();
  }
}
