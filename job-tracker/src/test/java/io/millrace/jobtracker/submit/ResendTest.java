package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that got no answer sends the same submission again, at any time in the life of its job.
 * The answer is that of the first time, and nothing is stored. Both with leave to replace and
 * without: a resend must not drive out what was submitted after it.
 */
class ResendTest extends ServiceTest {
  private static final String ID = "submission-1";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  /** The answer to the first submit was lost, and the client saved it for hours. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobWhoseTimesHavePassed(boolean replace) {
    Job job = job("poll").every(MINUTE).at(inMillis(0)).times(2).replaceExisting(replace).build();
    tracker.submit(ID, job);
    time.pass(MINUTE.multipliedBy(5));

    assertThat(tracker.submit(ID, job)).isEqualTo(SubmitResult.accepted("poll"));
    assertThat(waiting("poll")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatWaits(boolean replace) {
    tracker.submit(ID, oneShot(replace));

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).hasSize(1);
    assertThat(ends("close")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatExecutes(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    worker.takeOne();

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).isEmpty();
    assertThat(executing("close")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatWaitsForItsNextAttempt(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).singleElement().matches(row -> row.attempt() == 2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatIsDone(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    worker.succeed(worker.takeOne());

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatWasCancelled(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    tracker.cancel("close");

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatIsDoneWhileALaterOneWaits(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    worker.succeed(worker.takeOne());
    tracker.submit("later", oneShot(false));
    List<WaitingTrigger> later = waiting("close");

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).isEqualTo(later);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatIsDoneWhileALaterOneExecutes(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    worker.succeed(worker.takeOne());
    tracker.submit("later", oneShot(false));
    worker.takeOne();

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).isEmpty();
    assertThat(executing("close")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatALaterOneHasReplaced(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    tracker.submit("later", oneShot(true));
    List<WaitingTrigger> later = waiting("close");

    assertKnown(oneShot(replace));

    assertThat(waiting("close")).isEqualTo(later);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneShotThatARecurringJobHasReplaced(boolean replace) {
    tracker.submit(ID, oneShot(replace));
    tracker.submit("later", job("close").every(MINUTE).replaceExisting(true).build());

    assertKnown(oneShot(replace));

    assertThat(definition("close").state()).isEqualTo(JobState.ACTIVE);
    assertThat(waiting("close")).hasSize(11);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobThatLives(boolean replace) {
    tracker.submit(ID, recurring(replace));
    JobDefinition before = definition("poll");

    assertKnown(recurring(replace));

    assertThat(definition("poll")).isEqualTo(before);
    assertThat(waiting("poll")).hasSize(11);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobOfWhichATriggerExecutes(boolean replace) {
    tracker.submit(ID, recurring(replace));
    Assignment running = worker.takeOne();

    assertKnown(recurring(replace));

    worker.succeed(running);
    assertThat(waiting("poll")).hasSize(10);
    assertThat(ends("poll")).containsExactly("SUCCEEDED");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobThatWasCancelled(boolean replace) {
    tracker.submit(ID, recurring(replace));
    tracker.cancel("poll");

    assertKnown(recurring(replace));

    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
    assertThat(waiting("poll")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobThatIsFinished(boolean replace) {
    Job once = job("poll").every(MINUTE).times(1).replaceExisting(replace).build();
    tracker.submit(ID, once);
    worker.succeed(worker.takeOne());
    time.pass(MINUTE);
    tracker.generate();
    assertThat(definition("poll").state()).isEqualTo(JobState.FINISHED);

    assertKnown(once);

    assertThat(definition("poll").state()).isEqualTo(JobState.FINISHED);
    assertThat(waiting("poll")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobThatALaterOneHasReplaced(boolean replace) {
    tracker.submit(ID, recurring(replace));
    worker.succeed(worker.takeOne());
    time.pass(MINUTE.plusMillis(1));
    tracker.submit("later", job("poll").every(Duration.ofMinutes(5)).replaceExisting(true).build());
    JobDefinition later = definition("poll");

    assertKnown(recurring(replace));

    assertThat(definition("poll")).isEqualTo(later);
    assertThat(waiting("poll")).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobThatALaterOneShotHasReplaced(boolean replace) {
    tracker.submit(ID, recurring(replace));
    worker.succeed(worker.takeOne());
    tracker.submit("later", job("poll").at(inMillis(9_000)).replaceExisting(true).build());
    List<WaitingTrigger> later = waiting("poll");

    assertKnown(recurring(replace));

    assertThat(waiting("poll")).isEqualTo(later);
    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
  }

  /** No trigger of the first one has ended, so the ledger does not know it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobThatLaterOnesHaveReplacedBeforeItEverRan(boolean replace) {
    Job untouched = job("poll").every(MINUTE).at(inMillis(60_000)).replaceExisting(replace).build();
    tracker.submit(ID, untouched);
    for (String later : List.of("later", "latest")) {
      tracker.submit(
          later, job("poll").every(MINUTE).at(inMillis(90_000)).replaceExisting(true).build());
    }
    JobDefinition latest = definition("poll");

    assertKnown(untouched);

    assertThat(definition("poll")).isEqualTo(latest);
    assertThat(ledger("poll")).isEmpty();
  }

  /** No trigger of it has ended; a pause counts a version, and so does a cancel. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recurringJobThatWasReplacedManyVersionsAgo(boolean replace) {
    Job untouched = job("poll").every(MINUTE).at(inMillis(60_000)).replaceExisting(replace).build();
    tracker.submit(ID, untouched);
    Job.Builder next = job("poll").every(MINUTE).at(inMillis(90_000)).replaceExisting(true);
    tracker.submit("later", next.build());
    for (int i = 0; i < 120; i++) {
      tracker.pause("poll");
      tracker.resume("poll");
    }
    tracker.cancel("poll");
    tracker.submit("last", next.build());
    JobDefinition last = definition("poll");
    assertThat(last.version()).isGreaterThan(120);
    assertThat(ledger("poll")).isEmpty();

    assertKnown(untouched);

    assertThat(definition("poll")).isEqualTo(last);
  }

  private void assertKnown(Job job) {
    assertThat(tracker.submit(ID, job)).isEqualTo(SubmitResult.accepted(job.taskId()));
    assertThat(anotherTracker().submit(ID, job))
        .as("by another tracker")
        .isEqualTo(SubmitResult.accepted(job.taskId()));
  }

  private static Job oneShot(boolean replace) {
    return job("close").replaceExisting(replace).build();
  }

  private static Job recurring(boolean replace) {
    return job("poll").every(MINUTE).replaceExisting(replace).build();
  }
}
