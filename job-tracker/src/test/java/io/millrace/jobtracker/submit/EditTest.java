package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recurring jobs that are replaced by another version of themselves while they are at work. */
class EditTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  /** Where the instant is that the former version planned for the millisecond of the edit. */
  private enum Place {
    WAITING,
    EXECUTING,
    RETRIED,
    SUCCEEDED,
    SKIPPED_BY_A_RESUME
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void instantOfTheEditItselfIsNotPlannedTwice(Place place) {
    tracker.submit(job("poll").cron("0 * * * * ?").build());
    long now = time.millis();
    bring(place);

    tracker.submit(job("poll").cron("0 * * * * ?").replaceExisting(true).build());

    assertThat(waiting("poll"))
        .hasSize(10)
        .noneMatch(row -> row.plannedFor() == now)
        .allMatch(row -> row.jobVersion() == definition("poll").version());
    executing("poll").forEach(execution -> worker.succeed(assignmentOf(execution)));
    assertThat(finalsOf(now)).isEqualTo(1);
  }

  private void bring(Place place) {
    switch (place) {
      case WAITING -> tracker.load();
      case EXECUTING -> worker.takeOne();
      case RETRIED -> worker.report(worker.takeOne(), Outcome.LATER);
      case SUCCEEDED -> worker.succeed(worker.takeOne());
      case SKIPPED_BY_A_RESUME -> {
        time.setClock(time.now().minusMillis(30_000));
        tracker.pause("poll");
        time.pass(Duration.ofMillis(30_000));
        tracker.resume("poll");
      }
    }
  }

  @Test
  void instantOfTheEditIsPlannedIfTheFormerVersionDidNot() {
    tracker.submit(job("poll").cron("30 * * * * ?").build());

    tracker.submit(job("poll").cron("0 * * * * ?").replaceExisting(true).build());

    assertThat(waiting("poll")).hasSize(11).anyMatch(row -> row.plannedFor() == time.millis());
  }

  @Test
  void jobThatIsCancelledAndSubmittedAnewInTheSameMillisecondDoesNotRepeatItsInstant() {
    tracker.submit(job("poll").cron("0 * * * * ?").build());
    worker.succeed(worker.takeOne());
    tracker.cancel("poll");

    tracker.submit(job("poll").cron("0 * * * * ?").build());

    assertThat(waiting("poll")).hasSize(10).noneMatch(row -> row.plannedFor() == time.millis());
  }

  @Test
  void chainThatIsEditedInTheMillisecondItFiredFiresTheNext() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    worker.succeed(worker.takeOne());

    tracker.submit(job("chain").fixedDelay(MINUTE).replaceExisting(true).build());

    assertThat(waiting("chain"))
        .singleElement()
        .matches(row -> row.plannedFor() == time.millis() + 1);
  }

  @Test
  void instantsThatNobodyHadComeToGenerateEndWithTheFormerVersion() {
    tracker.submit(job("poll").cron("0 * * * * ?").build());
    worker.succeed(worker.takeOne());
    long start = time.millis();
    time.pass(MINUTE.multipliedBy(30));

    tracker.submit(job("poll").cron("0 * * * * ?").replaceExisting(true).build());

    LedgerEntry gap = ledger("poll").get(ledger("poll").size() - 1);
    assertThat(gap.cause()).isEqualTo(Cause.of(CauseCode.REPLACED));
    assertThat(gap.plannedFor()).isEqualTo(start + 11 * 60_000);
    assertThat(gap.instants()).as("the thirtieth is the new version's").isEqualTo(19);
    assertThat(waiting("poll"))
        .extracting(WaitingTrigger::plannedFor)
        .startsWith(start + 30 * 60_000);
  }

  @Test
  void exclusiveJobStaysScheduledWhenItIsReplacedWhileItRunsAndWaitsForItsTurn() {
    tracker.submit(polling(OverlapPolicy.queue(5)).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofSeconds(1));

    tracker.submit(polling(OverlapPolicy.queue(5)).replaceExisting(true).build());

    assertThat(turns("poll").running()).isEqualTo(1);
    time.pass(MINUTE);
    assertThat(worker.take(5)).as("the run of the former version is under way").isEmpty();
    worker.succeed(running);
    assertThat(worker.take(5)).as("its turn").hasSize(1);
    assertThat(executing("poll")).allMatch(Execution::counted);
  }

  @Test
  void jobThatIsMadeExclusiveWhileSeveralOfItsTriggersRunCountsThemAll() {
    tracker.submit(polling(OverlapPolicy.allow()).build());
    Assignment first = worker.takeOne();
    time.pass(MINUTE);
    Assignment second = worker.takeOne();
    time.pass(Duration.ofSeconds(1));
    assertThat(turns("poll").running()).isZero();

    tracker.submit(polling(OverlapPolicy.skip()).replaceExisting(true).build());

    assertThat(turns("poll").running()).isEqualTo(2);
    worker.succeed(first);
    assertThat(turns("poll").running()).isEqualTo(1);
    worker.succeed(second);
    assertThat(turns("poll").running()).isZero();
  }

  @Test
  void jobThatIsNoMoreExclusiveCountsNothing() {
    tracker.submit(polling(OverlapPolicy.queue(5)).build());
    Assignment running = worker.takeOne();
    time.pass(MINUTE);
    assertThat(worker.take(5)).isEmpty();
    assertThat(turns("poll").queued()).isEqualTo(1);

    tracker.submit(polling(OverlapPolicy.allow()).replaceExisting(true).build());

    assertThat(turns("poll").running()).isZero();
    assertThat(turns("poll").queued()).isZero();
    assertThat(executing("poll")).noneMatch(Execution::counted);
    worker.succeed(running);
    assertThat(turns("poll").running()).isZero();
    assertThat(ends("poll"))
        .as("the one that waited for its turn is taken back")
        .containsExactlyInAnyOrder("CANCELLED", "SUCCEEDED");
  }

  @Test
  void cancelOfAnExclusiveJobLeavesOnlyWhatRunsToBeCounted() {
    tracker.submit(polling(OverlapPolicy.queue(5)).build());
    Assignment running = worker.takeOne();
    time.pass(MINUTE);
    worker.take(5);

    tracker.cancel("poll");

    assertThat(turns("poll").running()).isEqualTo(1);
    assertThat(turns("poll").queued()).isZero();
    worker.succeed(running);
    assertThat(turns("poll").running()).isZero();
    assertThat(waiting("poll")).isEmpty();
  }

  @Test
  void retryThatHoldsTheTurnGivesItUpWithTheEdit() {
    tracker.submit(polling(OverlapPolicy.queue(5)).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    assertThat(turns("poll").running()).isEqualTo(1);
    time.pass(Duration.ofMillis(1));

    tracker.submit(polling(OverlapPolicy.queue(5)).replaceExisting(true).build());

    assertThat(turns("poll").running()).isZero();
    assertThat(worker.take(5)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void chainHasOneLiveTriggerWhateverHappensWhileItRuns(Change change) {
    for (OverlapPolicy policy : List.of(OverlapPolicy.CHAINED_DEFAULT, OverlapPolicy.allow())) {
      String taskId = "chain-" + policy.kind();
      tracker.submit(chain(taskId, policy).build());
      Assignment running = worker.takeOne();
      time.pass(Duration.ofSeconds(1));

      make(change, taskId, policy);
      worker.succeed(running);

      assertThat(executing(taskId)).isEmpty();
      assertThat(waiting(taskId))
          .singleElement()
          .matches(row -> row.jobVersion() == definition(taskId).version());
      assertThat(definition(taskId).state()).isEqualTo(JobState.ACTIVE);
      time.pass(MINUTE);
      worker.succeed(worker.takeOne());
    }
  }

  private enum Change {
    EDITED,
    EDITED_TWICE,
    PAUSED_AND_RESUMED,
    PAUSED_AND_EDITED,
    CANCELLED_AND_SUBMITTED_ANEW
  }

  private void make(Change change, String taskId, OverlapPolicy policy) {
    Job edited = chain(taskId, policy).replaceExisting(true).build();
    switch (change) {
      case EDITED -> tracker.submit(edited);
      case EDITED_TWICE -> tracker.submit(edited, edited);
      case PAUSED_AND_RESUMED -> {
        tracker.pause(taskId);
        tracker.resume(taskId);
      }
      case PAUSED_AND_EDITED -> {
        tracker.pause(taskId);
        tracker.submit(edited);
      }
      case CANCELLED_AND_SUBMITTED_ANEW -> {
        tracker.cancel(taskId);
        tracker.submit(edited);
      }
    }
  }

  private static Job.Builder polling(OverlapPolicy policy) {
    return job("poll").every(MINUTE).overlap(policy);
  }

  private static Job.Builder chain(String taskId, OverlapPolicy policy) {
    return job(taskId).fixedDelay(MINUTE).overlap(policy);
  }

  private LockedJob turns(String taskId) {
    long id = definition(taskId).id();
    return stores
        .transactions()
        .inTransaction("look", () -> stores.jobs().lock(List.of(id)).get(id));
  }

  private long finalsOf(long instant) {
    return ledger("poll").stream()
        .filter(row -> row.status().isFinal())
        .filter(row -> row.plannedFor() <= instant && instant <= row.plannedTo())
        .count();
  }

  private static Assignment assignmentOf(Execution execution) {
    return new Assignment(
        execution.id(),
        GROUP,
        execution.key().taskId(),
        Instant.ofEpochMilli(execution.plannedFor()),
        0,
        Instant.ofEpochMilli(execution.dueAt()),
        1,
        1,
        null,
        Map.of(),
        null,
        null);
  }
}
