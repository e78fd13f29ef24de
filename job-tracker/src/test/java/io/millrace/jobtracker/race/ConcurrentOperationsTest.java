package io.millrace.jobtracker.race;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RunNowResult;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Racer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

/** Pauses, resumes, edits and runs now against claims, ends, generation and one another. */
class ConcurrentOperationsTest extends ServiceTest {
  private static final int ROUNDS = 15;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Racer racer = new Racer();
  private HandDrivenTracker one;
  private HandDrivenTracker two;
  private HandDrivenTracker three;
  private HandDrivenWorker worker;

  @BeforeEach
  void openTrackers() {
    one = new HandDrivenTracker(11, stores, new HandTime());
    two = new HandDrivenTracker(12, stores, new HandTime());
    three = new HandDrivenTracker(13, stores, new HandTime());
    worker = three.worker("worker-1");
  }

  @AfterEach
  void stopThreads() {
    racer.close();
  }

  @RepeatedTest(ROUNDS)
  void eachTriggerIsEitherClaimedBeforeThePauseOrNotAtAll() {
    one.submit(each("poll").build());
    passAll(Duration.ofSeconds(20));

    racer.together(List.<Callable<Object>>of(() -> worker.take(20), () -> one.pause("poll")));

    assertThat(waiting("poll")).isEmpty();
    assertThat(executing("poll").size() + ledger("poll").size()).isEqualTo(20);
    assertThat(ledger("poll")).allMatch(row -> row.status().name().equals("SKIPPED"));
    assertThat(worker.take(20)).as("after the pause").isEmpty();
    assertThat(definition("poll").state()).isEqualTo(JobState.PAUSED);
  }

  @RepeatedTest(ROUNDS)
  void afterAnEditNothingOfTheFormerVersionIsClaimed() {
    one.submit(each("poll").build());
    passAll(Duration.ofSeconds(20));

    racer.together(
        List.<Callable<Object>>of(
            () -> worker.take(20), () -> one.submit(each("poll").replaceExisting(true).build())));
    Set<Long> before = executing("poll").stream().map(Execution::id).collect(Collectors.toSet());
    worker.take(20);

    assertThat(executing("poll"))
        .filteredOn(execution -> !before.contains(execution.id()))
        .allMatch(execution -> execution.jobVersion() == 2);
    assertThat(waiting("poll")).allMatch(row -> row.jobVersion() == 2);
    assertThat(instantsOf("poll")).doesNotHaveDuplicates();
  }

  @RepeatedTest(ROUNDS)
  void exclusiveJobThatIsPausedWhileItIsClaimedCountsWhatRuns() {
    one.submit(job("turns").every(SECOND).overlap(OverlapPolicy.queue(3)).build());
    passAll(Duration.ofSeconds(3));

    racer.together(List.<Callable<Object>>of(() -> worker.take(5), () -> one.pause("turns")));

    assertThat(waiting("turns")).isEmpty();
    int running = executing("turns").size();
    assertThat(running).isLessThanOrEqualTo(1);
    assertThat(executing("turns")).allMatch(Execution::counted);
    long id = definition("turns").id();
    assertThat(
            stores
                .transactions()
                .inTransaction("look", () -> stores.jobs().lock(List.of(id)).get(id)))
        .matches(job -> job.running() == running && job.queued() == 0);
  }

  @RepeatedTest(ROUNDS)
  void retryThatComesBackWhileItsJobIsPausedIsSkippedOnce() {
    one.submit(job("poll").every(Duration.ofMinutes(1)).build());
    Assignment running = worker.takeOne();

    racer.together(
        List.<Callable<Object>>of(
            () -> worker.report(running, Outcome.EXCEPTION), () -> one.pause("poll")));

    assertThat(waiting("poll")).isEmpty();
    assertThat(executing("poll")).isEmpty();
    assertThat(ledger("poll")).filteredOn(row -> row.status().isFinal()).hasSize(1);
  }

  @RepeatedTest(ROUNDS)
  void chainThatEndsWhileItIsResumedHasOneLiveTrigger() {
    for (OverlapPolicy policy : List.of(OverlapPolicy.CHAINED_DEFAULT, OverlapPolicy.allow())) {
      String taskId = "chain-" + policy.kind();
      one.submit(chain(taskId, policy).build());
      Assignment running = worker.takeOne();
      one.pause(taskId);

      racer.together(
          List.<Callable<Object>>of(() -> worker.succeed(running), () -> two.resume(taskId)));

      assertThat(executing(taskId)).isEmpty();
      assertThat(waiting(taskId)).as("%s", policy).hasSize(1);
    }
  }

  @RepeatedTest(ROUNDS)
  void chainThatEndsWhileItIsSubmittedAnewHasOneLiveTrigger() {
    for (OverlapPolicy policy : List.of(OverlapPolicy.CHAINED_DEFAULT, OverlapPolicy.allow())) {
      String taskId = "chain-" + policy.kind();
      one.submit(chain(taskId, policy).build());
      Assignment running = worker.takeOne();
      one.cancel(taskId);
      two.time().pass(SECOND);

      racer.together(
          List.<Callable<Object>>of(
              () -> worker.succeed(running), () -> two.submit(chain(taskId, policy).build())));

      assertThat(executing(taskId)).isEmpty();
      assertThat(waiting(taskId)).as("%s", policy).hasSize(1);
    }
  }

  @RepeatedTest(ROUNDS)
  void pauseResumeAndGenerationAtOnceLeaveNoInstantTwice() {
    one.submit(job("poll").every(SECOND).at(inMillis(1_000)).times(1_000).build());
    passAll(Duration.ofMinutes(9));

    racer.together(
        List.<Callable<Object>>of(
            () -> one.generate(),
            () -> two.pause("poll"),
            () -> three.resume("poll"),
            () -> three.generate()));
    one.resume("poll");
    one.generate();

    assertThat(instantsOf("poll"))
        .as("what has passed, and what is written ahead")
        .doesNotHaveDuplicates()
        .hasSize(9 * 60 + GenerationLimits.DEFAULT.triggersAhead());
  }

  @RepeatedTest(ROUNDS)
  void ofTwoPausesAtOnceOneCounts() {
    one.submit(job("poll").every(SECOND).build());

    List<ChangeResult> answers =
        racer.together(List.of(() -> one.pause("poll", "a"), () -> two.pause("poll", "b")));

    assertThat(answers)
        .extracting(ChangeResult::status)
        .containsExactlyInAnyOrder(ChangeStatus.CHANGED, ChangeStatus.UNCHANGED);
    assertThat(definition("poll").version()).isEqualTo(2);
    assertThat(ledger("poll")).hasSize(1);
  }

  @RepeatedTest(ROUNDS)
  void requestForARunThatArrivesOverTwoTrackersAtOnceRunsOnce() {
    one.submit(job("poll").every(SECOND).at(inMillis(60_000)).build());

    List<RunNowResult> answers =
        racer.together(
            List.of(
                () -> one.runNow("run-1", "poll", null), () -> two.runNow("run-1", "poll", null)));

    assertThat(answers).allMatch(RunNowResult::isAccepted);
    assertThat(answers).extracting(RunNowResult::ordinal).containsOnly(1);
    assertThat(waiting("poll")).filteredOn(row -> row.key().isExtra()).hasSize(1);
  }

  @RepeatedTest(ROUNDS)
  void extraRunThatIsAskedForWhileItsJobIsCancelledEndsWithIt() {
    one.submit(job("poll").every(SECOND).at(inMillis(60_000)).build());

    racer.together(
        List.<Callable<Object>>of(
            () -> one.runNow("run-1", "poll", null), () -> two.cancel("poll")));

    assertThat(waiting("poll")).isEmpty();
    assertThat(ledger("poll")).hasSizeLessThanOrEqualTo(1);
  }

  /** Of which every fire time runs, beside the others. */
  private Job.Builder each(String taskId) {
    return job(taskId)
        .every(SECOND)
        .at(inMillis(1_000))
        .misfire(MisfirePolicy.all())
        .overlap(OverlapPolicy.allow());
  }

  private void passAll(Duration duration) {
    one.time().pass(duration);
    two.time().pass(duration);
    three.time().pass(duration);
  }

  private static Job.Builder chain(String taskId, OverlapPolicy policy) {
    return job(taskId).fixedDelay(Duration.ofMinutes(1)).overlap(policy);
  }

  /** Every instant of the schedule that waits, executes or has ended. */
  private List<Long> instantsOf(String taskId) {
    return Stream.of(
            waiting(taskId).stream().map(WaitingTrigger::plannedFor),
            executing(taskId).stream().map(Execution::plannedFor),
            ledger(taskId).stream().filter(row -> row.status().isFinal()).flatMap(this::instantsOf))
        .flatMap(instants -> instants)
        .toList();
  }

  private Stream<Long> instantsOf(LedgerEntry row) {
    return LongStream.range(0, row.instants()).mapToObj(i -> row.plannedFor() + i * 1_000);
  }
}
