package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecurringSubmitTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** LTS wrote the definition first and its triggers later: a crash between, and it never fired. */
  @Test
  void definitionAndItsFirstTriggersAreStoredTogetherOrNotAtAll() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    transactions.failNext(FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH);
    shaky.submit("s-1", job("poll").every(Duration.ofMinutes(1)).build());

    assertThat(stores.jobs().find(GROUP, "poll")).isEmpty();
    assertThat(waiting("poll")).isEmpty();

    shaky.submit("s-1", job("poll").every(Duration.ofMinutes(1)).build());

    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
    assertThat(waiting("poll")).hasSize(11);
  }

  @Test
  void tenMinutesOfTriggersAreThereWithTheAnswer() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());

    assertThat(waiting("poll"))
        .extracting(WaitingTrigger::plannedFor)
        .containsExactly(at(0), at(180), at(360), at(540));
    assertThat(definition("poll").generatedUntil()).isEqualTo(at(600));
  }

  @Test
  void newJobsAreStoredBesideThoseThatAreKnownRefusedOrReplace() {
    tracker.submit("s-known", job("known").every(MINUTE).build());
    tracker.submit(job("present").every(MINUTE).build());
    tracker.submit(job("one-shot").at(inMillis(60_000)).build());
    tracker.submit(job("waits").at(inMillis(60_000)).build());

    List<SubmitResult> results =
        tracker.submitAll(
            new JobSubmission("s-1", job("new-1").every(MINUTE).build()),
            new JobSubmission("s-known", job("known").every(MINUTE).build()),
            new JobSubmission("s-2", job("present").every(MINUTE).build()),
            new JobSubmission("s-3", job("one-shot").every(MINUTE).replaceExisting(true).build()),
            new JobSubmission("s-4", job("waits").every(MINUTE).build()),
            new JobSubmission("s-5", job("new-2").cron("0 5 18 * * ?").build()));

    assertThat(results)
        .extracting(SubmitResult::status)
        .containsExactly(
            SubmitStatus.ACCEPTED,
            SubmitStatus.ACCEPTED,
            SubmitStatus.DUPLICATE,
            SubmitStatus.REPLACED,
            SubmitStatus.DUPLICATE,
            SubmitStatus.ACCEPTED);
    assertThat(List.of("new-1", "known", "one-shot"))
        .allSatisfy(taskId -> assertThat(waiting(taskId)).hasSize(11));
    assertThat(definition("new-2").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void cronIsReadInItsZone() {
    tracker.submit(job("report").cron("0 5 18 * * ?", ZoneId.of("Asia/Shanghai")).build());

    assertThat(waiting("report"))
        .extracting(row -> Instant.ofEpochMilli(row.plannedFor()))
        .containsExactly(Instant.parse("2026-03-02T10:05:00Z"));
  }

  @Test
  void cronWithoutAZoneIsReadInTheTrackersDefaultZoneAndNeverInTheJvms() {
    tracker.submit(job("report").cron("0 5 10 * * ?").build());

    assertThat(waiting("report"))
        .extracting(row -> Instant.ofEpochMilli(row.plannedFor()))
        .containsExactly(Instant.parse("2026-03-02T10:05:00Z"));
  }

  @Test
  void firstFireTimeBeyondTheWindowWritesTheDefinitionOnly() {
    tracker.submit(job("report").cron("0 0 23 * * ?").build());

    assertThat(waiting("report")).isEmpty();
    assertThat(definition("report").generateAt()).isGreaterThan(time.millis());
  }

  /** Instants of one second were one instant to LTS, and all but one were dropped. */
  @Test
  void triggersLessThanASecondApartDoNotCollide() {
    tracker.submit(job("fast").every(Duration.ofMillis(250)).times(8).build());

    assertThat(waiting("fast")).hasSize(8);
  }

  @Test
  void longestTaskIdHasTriggersLikeAnyOther() {
    String taskId = "t".repeat(128);
    tracker.submit(job(taskId).every(Duration.ofMinutes(5)).build());

    assertThat(waiting(taskId)).hasSize(3);
  }

  @Test
  void chainedJobHasOneTriggerOnly() {
    tracker.submit(job("delay").fixedDelay(Duration.ofSeconds(1)).build());
    tracker.submit(job("rely").every(Duration.ofSeconds(1)).relyOnPrevCycle(true).build());

    assertThat(waiting("delay")).hasSize(1);
    assertThat(waiting("rely")).hasSize(1);
    assertThat(definition("delay").generateAt()).as("nothing to generate").isNull();
  }

  @Test
  void noTraceIsLeftOfWhatHeldTheTaskIdMeanwhile() {
    tracker.submit(job("report").cron("0 0 23 * * ?").build());

    assertThat(stores.waiting().findOneShots(GROUP, List.of("report"))).isEmpty();
    assertThat(ledger("report")).isEmpty();
  }

  @Test
  void sameTaskIdWhileTheJobLivesIsADuplicateAndChangesNothing() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    JobDefinition before = definition("poll");

    SubmitResult again = tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());

    assertThat(again.message()).isEqualTo("a recurring job of this task id is ACTIVE");
    assertThat(definition("poll")).isEqualTo(before);
    assertThat(waiting("poll")).hasSize(4);
  }

  /** LTS did not look into its table of suspended jobs. */
  @Test
  void pausedJobStillHoldsItsTaskId() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    tracker.pause("poll");

    SubmitResult again = tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());

    assertThat(again.message()).isEqualTo("a recurring job of this task id is PAUSED");
    assertThat(tracker.submit(job("poll").build()).status()).isEqualTo(SubmitStatus.DUPLICATE);
    assertThat(definition("poll").state()).isEqualTo(JobState.PAUSED);
  }

  @Test
  void jobThatWasCancelledIsSubmittedAnewUnderItsOldIdAndAHigherVersion() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    JobDefinition before = definition("poll");
    tracker.cancel("poll");
    time.pass(Duration.ofMillis(1));

    SubmitResult again = tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());

    assertThat(again.status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(definition("poll").id()).isEqualTo(before.id());
    assertThat(definition("poll").version()).isGreaterThan(before.version() + 1);
    assertThat(waiting("poll")).hasSize(11);
  }

  /** The generator has not come by yet to say that it is finished. */
  @Test
  void jobWhoseLastTriggerHasEndedNoLongerHoldsItsTaskId() {
    tracker.submit(job("twice").every(Duration.ofSeconds(1)).times(2).build());
    var worker = tracker.worker("worker-1");
    worker.succeed(worker.takeOne());
    assertThat(tracker.submit(job("twice").every(Duration.ofSeconds(1)).build()).status())
        .as("one trigger is still to come")
        .isEqualTo(SubmitStatus.DUPLICATE);
    time.pass(Duration.ofSeconds(1));
    worker.succeed(worker.takeOne());

    assertThat(tracker.submit(job("twice").every(Duration.ofSeconds(1)).build()).status())
        .isEqualTo(SubmitStatus.ACCEPTED);
  }

  private long at(long seconds) {
    return time.millis() + seconds * 1_000;
  }
}
