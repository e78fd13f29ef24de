package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.JobEdit;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An edit changes what it says, and nothing else; made from an old version it changes nothing. */
class JobEditTest extends ServiceTest {
  private static final JobEdit OF_WHATEVER_LIVES = new JobEdit(null, null);
  private static final Duration SIX_HOURS = Duration.ofHours(6);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void jobOfAnEqualScheduleKeepsItsPhaseAndDoesNotRun() {
    tracker.submit(job("import").every(SIX_HOURS).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    worker.succeed(worker.takeOne());
    JobDefinition before = definition("import");
    time.pass(Duration.ofMinutes(12));

    SubmitResult result =
        tracker.edit(job("import").every(SIX_HOURS).retry(9).build(), from(before));

    assertThat(result).isEqualTo(SubmitResult.replaced("import"));
    JobDefinition after = definition("import");
    assertThat(after.version()).isEqualTo(before.version() + 1);
    assertThat(after.spec().retry().maxRetries()).isEqualTo(9);
    assertThat(after.acceptedAt()).isEqualTo(before.acceptedAt());
    assertThat(worker.take(1)).as("what is due").isEmpty();
    time.pass(SIX_HOURS.minus(Duration.ofMinutes(12)));
    tracker.generate();
    assertThat(planned("import")).containsExactly(before.acceptedAt() + SIX_HOURS.toMillis());
    assertThat(ends("import")).containsExactly("SUCCEEDED");
  }

  @Test
  void triggersThatWereWrittenAheadStayWhereTheyAre() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).at(inMillis(1_000)).build());
    List<Long> before = planned("poll");
    time.pass(Duration.ofMillis(500));

    tracker.edit(
        job("poll")
            .every(Duration.ofMinutes(3))
            .at(Instant.ofEpochMilli(before.get(0)))
            .priority(7)
            .build(),
        OF_WHATEVER_LIVES);

    assertThat(before).hasSizeGreaterThan(2);
    assertThat(planned("poll")).isEqualTo(before);
    assertThat(waiting("poll")).allMatch(row -> row.jobVersion() == 2 && row.priority() == 7);
    assertThat(ledger("poll")).isEmpty();
  }

  @Test
  void fixedDelayThatWaitsGoesOnWaiting() {
    tracker.submit(job("tidy").fixedDelay(SIX_HOURS).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    worker.succeed(worker.takeOne());
    List<Long> before = planned("tidy");
    time.pass(MINUTE);

    tracker.edit(job("tidy").fixedDelay(SIX_HOURS).retry(1).build(), OF_WHATEVER_LIVES);
    assertThat(planned("tidy")).hasSize(1).isEqualTo(before);

    Instant end = time.now().plus(Duration.ofDays(9));
    tracker.edit(job("tidy").fixedDelay(SIX_HOURS).until(end).build(), OF_WHATEVER_LIVES);
    assertThat(planned("tidy"))
        .as("an end is no reason to run at once")
        .singleElement()
        .satisfies(at -> assertThat(at).isGreaterThan(time.millis() + MINUTE.toMillis()));
  }

  @Test
  void endIsSetWithoutMovingTheGrid() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    long begun = definition("poll").acceptedAt();
    time.pass(MINUTE);

    tracker.edit(
        job("poll").every(Duration.ofMinutes(3)).until(inMillis(7 * 60_000)).build(),
        OF_WHATEVER_LIVES);

    assertThat(planned("poll")).containsExactly(begun + 180_000, begun + 360_000);
  }

  @Test
  void anotherScheduleBeginsNow() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    time.pass(MINUTE);

    tracker.edit(job("poll").every(Duration.ofMinutes(4)).build(), OF_WHATEVER_LIVES);

    assertThat(planned("poll"))
        .startsWith(time.millis(), time.millis() + Duration.ofMinutes(4).toMillis());
  }

  @Test
  void pausedJobStaysPausedWithWhoAndWhyAndItsPauseIsOneRow() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    Job same = job("poll").every(MINUTE).at(inMillis(60_000)).handler("other").build();
    tracker.pause("poll", "stocktaking");
    JobDefinition before = definition("poll");
    time.pass(Duration.ofMinutes(3));

    tracker.edit(same, from(before));

    JobDefinition after = definition("poll");
    assertThat(after.state()).isEqualTo(JobState.PAUSED);
    assertThat(after.pause()).isEqualTo(before.pause());
    assertThat(after.spec().handler()).isEqualTo("other");
    assertThat(waiting("poll")).isEmpty();
    assertThat(ledger("poll")).isEmpty();
    time.pass(Duration.ofMinutes(2));
    tracker.resume("poll");
    assertThat(ledger("poll"))
        .extracting(LedgerEntry::cause)
        .hasSize(1)
        .doesNotContain(Cause.of(CauseCode.REPLACED));
    assertThat(planned("poll")).isNotEmpty().allMatch(at -> at > time.millis());
  }

  @Test
  void pausedJobOfAnotherScheduleStaysPausedToo() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.pause("poll", "stocktaking");
    time.pass(Duration.ofMinutes(3));

    tracker.edit(job("poll").every(Duration.ofMinutes(2)).build(), OF_WHATEVER_LIVES);

    assertThat(definition("poll").state()).isEqualTo(JobState.PAUSED);
    assertThat(waiting("poll")).isEmpty();
    tracker.resume("poll");
    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
    assertThat(planned("poll")).isNotEmpty().allMatch(at -> at > time.millis());
  }

  @Test
  void editOfAnOlderVersionIsRefusedAndChangesNothing() {
    tracker.submit(job("poll").every(MINUTE).build());
    JobDefinition seen = definition("poll");
    tracker.edit(job("poll").every(MINUTE).priority(3).build(), from(seen));
    JobDefinition before = definition("poll");
    List<WaitingTrigger> waiting = waiting("poll");

    SubmitResult late = tracker.edit(job("poll").every(MINUTE).retry(9).build(), from(seen));

    assertThat(late)
        .isEqualTo(
            SubmitResult.rejected(
                "poll",
                RejectReason.JOB_CHANGED,
                "orders/poll was edited from version 1, and it has version 2"));
    assertThat(definition("poll")).isEqualTo(before);
    assertThat(waiting("poll")).isEqualTo(waiting);
  }

  @Test
  void editOfWhatIsGoneIsRefusedAndStoresNothing() {
    tracker.submit(job("poll").every(MINUTE).build());
    JobDefinition seen = definition("poll");
    tracker.cancel("poll");

    assertRefused(tracker.edit(job("poll").every(MINUTE).build(), from(seen)));
    assertRefused(tracker.edit(job("poll").every(MINUTE).build(), OF_WHATEVER_LIVES));
    assertRefused(tracker.edit(job("poll").build(), OF_WHATEVER_LIVES));
    assertRefused(tracker.edit(job("never").every(MINUTE).build(), OF_WHATEVER_LIVES));
    assertRefused(tracker.edit(job("never").build(), OF_WHATEVER_LIVES));

    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
    assertThat(waiting("poll")).isEmpty();
    assertThat(waiting("never")).isEmpty();
  }

  @Test
  void oneShotIsEditedUnlessAnotherHasTakenItsPlace() {
    tracker.submit(job("close").at(inMillis(60_000)).build());
    WaitingTrigger seen = waiting("close").get(0);
    JobEdit from = new JobEdit(seen.jobId(), 0);

    assertThat(tracker.edit(job("close").at(inMillis(60_000)).priority(3).build(), from))
        .isEqualTo(SubmitResult.replaced("close"));
    assertThat(waiting("close")).singleElement().matches(row -> row.priority() == 3);
    assertRefused(tracker.edit(job("close").at(inMillis(60_000)).priority(5).build(), from));
    assertRefused(tracker.edit(job("close").every(MINUTE).build(), from));
    assertThat(waiting("close")).singleElement().matches(row -> row.priority() == 3);
  }

  @Test
  void oneShotAndRecurringJobAreEditedIntoOneAnother() {
    tracker.submit(job("close").at(inMillis(60_000)).build());
    assertThat(tracker.edit(job("close").every(MINUTE).build(), OF_WHATEVER_LIVES).isStored())
        .isTrue();
    JobDefinition recurring = definition("close");

    assertRefused(
        tracker.edit(job("close").at(inMillis(60_000)).build(), new JobEdit(recurring.id(), 7)));
    assertThat(tracker.edit(job("close").at(inMillis(60_000)).build(), from(recurring)).isStored())
        .isTrue();

    assertThat(definition("close").state()).isEqualTo(JobState.CANCELLED);
    assertThat(waiting("close")).singleElement().matches(row -> !row.isOfRecurringJob());
  }

  @Test
  void resendOfAnEditIsKnown() {
    tracker.submit(job("poll").every(MINUTE).build());
    JobEdit from = from(definition("poll"));
    Job edited = job("poll").every(MINUTE).retry(9).build();

    tracker.editAs("edit-1", edited, from);

    assertThat(tracker.editAs("edit-1", edited, from)).isEqualTo(SubmitResult.accepted("poll"));
    assertThat(definition("poll").version()).isEqualTo(2);
  }

  private void assertRefused(SubmitResult result) {
    assertThat(result.reason()).isEqualTo(RejectReason.JOB_CHANGED);
  }

  private static JobEdit from(JobDefinition seen) {
    return new JobEdit(seen.id(), seen.version());
  }

  private List<Long> planned(String taskId) {
    return waiting(taskId).stream().map(WaitingTrigger::plannedFor).sorted().toList();
  }
}
