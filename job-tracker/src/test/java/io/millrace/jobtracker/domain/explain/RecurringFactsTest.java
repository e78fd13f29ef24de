package io.millrace.jobtracker.domain.explain;

import static io.millrace.jobtracker.domain.explain.SampleFindings.NOW;
import static io.millrace.jobtracker.domain.explain.SampleFindings.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.FactKind;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecurringFactsTest {
  /** Fires at 9:05, 9:15 and so on; the next is 10:05. */
  private static final Schedule EVERY_TEN_MINUTES =
      new Schedule.Repeat(Duration.ofMinutes(10), Instant.parse("2026-03-02T09:05:00Z"), null);

  private final SampleFindings found = new SampleFindings();

  private SampleFindings inOrder() {
    LongStream.rangeClosed(0, 5)
        .map(i -> at("09:05:00") + i * 600_000)
        .forEach(
            planned ->
                found.ended(
                    TriggerKey.planned("a", planned),
                    LedgerStatus.SUCCEEDED,
                    planned + 3_512,
                    null,
                    null));
    return found.waits(at("10:05:00"));
  }

  private static TriggerKey planned(String timeOfDay) {
    return TriggerKey.planned("a", at(timeOfDay));
  }

  @Test
  void tellsWhatItIsWhenItFiresAndWhatItDid() {
    inOrder().job(EVERY_TEN_MINUTES);

    assertThat(found.kinds())
        .startsWith(
            FactKind.STATE,
            FactKind.SCHEDULE,
            FactKind.NEXT_FIRE,
            FactKind.NEXT_FIRE,
            FactKind.NEXT_FIRE,
            FactKind.ENDED);
    assertThat(found.facts().stream().map(fact -> fact.text()).limit(6))
        .containsExactly(
            "Recurring job, ACTIVE: version 2 of its definition, accepted at 2026-03-02T09:00:00Z"
                + " from client client-1 of group shop; priority 100, handler mail, up to 3"
                + " retries.",
            "Fires every 10 min, counted from 2026-03-02T09:05:00Z.",
            "Fires next at 2026-03-02T10:05:00Z (in 5 min).",
            "Then at 2026-03-02T10:15:00Z (in 15 min). Its trigger is generated at about"
                + " 2026-03-02T10:09:00Z.",
            "Then at 2026-03-02T10:25:00Z (in 25 min). Its trigger is generated at about"
                + " 2026-03-02T10:09:00Z.",
            "The run of 2026-03-02T09:55:00Z succeeded at 2026-03-02T09:55:03.512Z on worker"
                + " worker-1, attempt 1; claimed 12 ms after it was due, ended 3.5 s later.");
    assertThat(found.texts(FactKind.ENDED)).hasSize(6);
  }

  @Test
  void cronIsToldInWordsAndInItsLocalTime() {
    found.job(
        new Schedule.Cron(
            "0 30 2 * * ?",
            ZoneId.of("Europe/Berlin"),
            Instant.parse("2026-03-28T00:00:00Z"),
            Instant.parse("2027-01-01T00:00:00Z")));

    assertThat(found.texts(FactKind.SCHEDULE).get(0))
        .startsWith("Fires by the cron expression '0 30 2 * * ?' in the zone Europe/Berlin: ")
        .containsIgnoringCase("02:30")
        .endsWith("; not before 2026-03-28T00:00:00Z; not at or after 2027-01-01T00:00:00Z.");
    assertThat(found.texts(FactKind.NEXT_FIRE).subList(0, 2))
        .containsExactly(
            "Fires next at 2026-03-28T01:30:00Z (in 25 d 15 h), 2026-03-28T02:30+01:00 in"
                + " Europe/Berlin. Its trigger is generated at about 2026-03-02T10:09:00Z.",
            "Then at 2026-03-29T01:00:00Z (in 26 d 15 h), 2026-03-29T03:00+02:00 in"
                + " Europe/Berlin: 02:30 does not exist: clocks go from 02:00 to 03:00. Its trigger"
                + " is generated at about 2026-03-02T10:09:00Z.");
  }

  @Test
  void cronWithoutAZoneIsInThatOfTheTracker() {
    found.job(new Schedule.Cron("@hourly", null));

    assertThat(found.texts(FactKind.SCHEDULE).get(0))
        .startsWith(
            "Fires by the cron expression '@hourly' in the zone Z, the tracker's default: ");
  }

  @Test
  void whatAnOperatorSubmittedIsOfNoClient() {
    TriggerSpec spec =
        new TriggerSpec(
            "mail",
            RetryPolicy.DEFAULT,
            null,
            OverlapPolicy.allow(),
            MisfirePolicy.DEFAULT,
            false,
            false,
            "",
            "submission-1",
            "operator/alice",
            null,
            null);
    found.job(EVERY_TEN_MINUTES, spec);

    assertThat(found.texts(FactKind.STATE).get(0)).contains("09:00:00Z from operator alice;");
  }

  @Test
  void policiesAreToldWithTheSchedule() {
    TriggerSpec spec =
        new TriggerSpec(
            null,
            RetryPolicy.NONE,
            null,
            OverlapPolicy.queue(4),
            new MisfirePolicy(MisfirePolicy.Kind.ALL, Duration.ofHours(2), 7, false),
            false,
            false,
            "shop",
            "submission-1",
            "client-1",
            null,
            null);
    found.job(
        new Schedule.Repeat(
            Duration.ofSeconds(30), null, 10L, Instant.parse("2027-01-01T00:00:00Z")),
        spec);

    assertThat(found.texts(FactKind.SCHEDULE))
        .containsExactly(
            "Fires every 30 s, counted from 2026-03-02T09:00:00Z; 10 times in total; not at"
                + " or after 2027-01-01T00:00:00Z. One run at a time: up to 4 triggers wait during"
                + " a run. Of missed fire times the latest 7 are run, if they are not older than 2"
                + " h.");
    assertThat(found.texts(FactKind.STATE).get(0))
        .endsWith(
            "; priority 100, no handler, so the default or only runner of the worker, no retry.");
  }

  @Test
  void chainedJobTellsItsOneTrigger() {
    found
        .job(
            new Schedule.FixedDelay(Duration.ofSeconds(30), null, null),
            SampleFindings.spec(true, null))
        .waits(NOW + 12_000);

    assertThat(found.texts(FactKind.SCHEDULE))
        .containsExactly(
            "Fires 30 s after the previous run has ended, first at 2026-03-02T09:00:00Z. The"
                + " next trigger is generated when the previous run has ended.");
    assertThat(found.texts(FactKind.NEXT_FIRE))
        .containsExactly("Fires next at 2026-03-02T10:00:12Z (in 12 s).");
    assertThat(found.texts(FactKind.DEFECT)).isEmpty();
  }

  @Test
  void pausedJobTellsByWhomSinceWhenAndWhy() {
    Pause pause = new Pause("shop/client-1", at("08:00:00"), "database upgrade");
    found.job(EVERY_TEN_MINUTES, JobState.PAUSED, SampleFindings.spec(false, null), pause);

    assertThat(found.kinds()).containsExactly(FactKind.STATE, FactKind.PAUSED, FactKind.SCHEDULE);
    assertThat(found.texts(FactKind.PAUSED))
        .containsExactly(
            "Paused by shop/client-1 since 2026-03-02T08:00:00Z (2 h): database upgrade. Its"
                + " schedule does not fire until it is resumed.");
  }

  @Test
  void declaredJobTellsByWhomAndWhetherItWasEdited() {
    String submissionId = SampleFindings.spec(false, null).submissionId();
    found.job(EVERY_TEN_MINUTES).declared(7L, submissionId, null);
    assertThat(found.kinds()).startsWith(FactKind.STATE, FactKind.DECLARED, FactKind.SCHEDULE);
    assertThat(found.texts(FactKind.DECLARED))
        .containsExactly("Declared by shop, revision 7, since 2026-03-02T08:00:00Z.");

    found.declared(null, "another", null);
    assertThat(found.texts(FactKind.DECLARED))
        .singleElement()
        .asString()
        .startsWith(
            "Declared by shop, without a revision, since 2026-03-02T08:00:00Z; edited since by")
        .endsWith("The edit stays until the job is declared differently.");

    found.declared(8L, submissionId, new Retirement(at("09:00:00"), null));
    assertThat(found.texts(FactKind.DECLARED))
        .containsExactly(
            "Declared by shop, revision 8, until 2026-03-02T09:00:00Z; a later declaration no"
                + " longer had it, so it was retired.");
  }

  @Test
  void pauseWithoutAReasonSaysSo() {
    TriggerSpec spec = SampleFindings.spec(false, null);
    found.job(EVERY_TEN_MINUTES, JobState.PAUSED, spec, new Pause("shop/c", NOW, null));
    assertThat(found.texts(FactKind.PAUSED))
        .containsExactly(
            "Paused by shop/c since 2026-03-02T10:00:00Z (0 ms), without a reason. Its"
                + " schedule does not fire until it is resumed.");

    found.job(EVERY_TEN_MINUTES, JobState.PAUSED, spec, null);
    assertThat(found.texts(FactKind.PAUSED))
        .containsExactly(
            "Paused; it is not recorded by whom. Its schedule does not fire until it is resumed.");
  }

  @Test
  void endedJobsSayThatNothingComes() {
    TriggerSpec spec = SampleFindings.spec(false, null);
    found.job(EVERY_TEN_MINUTES, JobState.FINISHED, spec, null);
    assertThat(found.kinds()).containsExactly(FactKind.STATE, FactKind.NO_NEXT_FIRE);
    assertThat(found.texts(FactKind.NO_NEXT_FIRE))
        .containsExactly("No further run: no fire time is left, the job is FINISHED.");

    found.job(EVERY_TEN_MINUTES, JobState.CANCELLED, spec, null);
    assertThat(found.texts(FactKind.NO_NEXT_FIRE))
        .containsExactly("No further run: the job was cancelled or replaced.");
  }

  @Test
  void jobWithoutAFireTimeLeftIsAboutToFinish() {
    Schedule over =
        new Schedule.Repeat(Duration.ofMinutes(1), Instant.parse("2026-03-02T08:00:00Z"), 3L);
    found.job(over, JobState.ACTIVE, SampleFindings.spec(false, null), null, NOW + 500, true);
    assertThat(found.texts(FactKind.NO_NEXT_FIRE))
        .containsExactly("No fire time is left: the job becomes FINISHED shortly.");

    found.runs(planned("09:59:00"), "worker-1", NOW - 1_000, false);
    assertThat(found.texts(FactKind.NO_NEXT_FIRE))
        .containsExactly(
            "No fire time is left: the job becomes FINISHED when its waiting and running"
                + " triggers have ended.");
  }

  @Test
  void dueTriggerSaysWhenItCountsAsMissed() {
    found.job(EVERY_TEN_MINUTES).waits(NOW - 3_000).workers(0, 0);

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "The run of 2026-03-02T09:59:57Z is due since 2026-03-02T09:59:57Z (3 s), but no"
                + " worker of node group orders is connected. It counts as missed if no worker"
                + " claims it by 2026-03-02T10:00:57Z.");
  }

  @Test
  void dueTriggersBeyondAFewAreCounted() {
    found.job(EVERY_TEN_MINUTES).workers(0, 0);
    LongStream.range(0, 8).forEach(i -> found.waits(NOW - 8_000 + i * 1_000));

    assertThat(found.texts(FactKind.DUE)).hasSize(4);
    assertThat(found.texts(FactKind.DUE).get(3))
        .isEqualTo(
            "5 more triggers of it are due, up to the run of 2026-03-02T09:59:59Z, and not"
                + " claimed for the same reason.");
  }

  @Test
  void dueTriggerOfAJobThatRunsSaysWhatBecomesOfIt() {
    found
        .job(EVERY_TEN_MINUTES, SampleFindings.spec(false, OverlapPolicy.skip()))
        .turns(1, 0)
        .waits(NOW - 70_000)
        .workers(2, 0);
    assertThat(found.texts(FactKind.DUE).get(0))
        .endsWith(" If the current run has not ended when a worker claims it, it is skipped.");

    found.job(EVERY_TEN_MINUTES, SampleFindings.spec(false, OverlapPolicy.queue(2)));
    assertThat(found.texts(FactKind.DUE).get(0))
        .endsWith(" If the current run has not ended when a worker claims it, it is held.");
  }

  @Test
  void heldTriggersWaitForTheirTurnBehindWhatRuns() {
    found
        .job(EVERY_TEN_MINUTES, SampleFindings.spec(false, OverlapPolicy.queue(10)))
        .turns(1, 5)
        .runs(planned("09:25:00"), "worker-2", at("09:26:00"), false);
    LongStream.range(0, 5).forEach(i -> found.held(at("09:30:00") + i));

    assertThat(found.texts(FactKind.HELD)).hasSize(4);
    assertThat(found.texts(FactKind.HELD).get(1))
        .isEqualTo(
            "The run of 2026-03-02T09:30:00.001Z is held, in position 2 of 5: one run of the"
                + " job at a time, and the run of 2026-03-02T09:25:00Z is running as execution 100"
                + " on worker worker-2 since 2026-03-02T09:26:00Z (34 min).");
    assertThat(found.texts(FactKind.HELD).get(3)).isEqualTo("2 more are held.");
    assertThat(found.texts(FactKind.DUE)).isEmpty();
  }

  @Test
  void heldTriggerMayWaitBehindOneThatIsBetweenTwoAttempts() {
    found
        .job(EVERY_TEN_MINUTES, SampleFindings.spec(false, OverlapPolicy.queue(10)))
        .turns(1, 1)
        .waits(planned("09:25:00"), NOW + 4_000, 2, true)
        .ended(planned("09:25:00"), LedgerStatus.RETRIED, NOW - 1_000, null, "boom")
        .held(at("09:30:00"));

    assertThat(found.texts(FactKind.HELD))
        .containsExactly(
            "The run of 2026-03-02T09:30:00Z is held, in position 1 of 1: one run of the job"
                + " at a time, and the run of 2026-03-02T09:25:00Z has started and waits for its"
                + " next attempt.");
    assertThat(found.texts(FactKind.RETRY))
        .containsExactly(
            "The run of 2026-03-02T09:25:00Z continues with retry 1 of 3, and waits until"
                + " 2026-03-02T10:00:04Z (in 4 s): attempt 1 threw at 2026-03-02T09:59:59Z on"
                + " worker worker-1: boom");
  }

  @Test
  void extraRunIsNamedAsOne() {
    found
        .job(EVERY_TEN_MINUTES)
        .waits(TriggerKey.extra("a", at("09:59:58"), 4), at("09:59:58"), 1, false)
        .workers(0, 0);

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "Extra run 4 of 2026-03-02T09:59:58Z is due since 2026-03-02T09:59:58Z (2 s), but no"
                + " worker of node group orders is connected.");
  }

  @Test
  void runsBeyondAFewAreCounted() {
    found.job(EVERY_TEN_MINUTES);
    LongStream.range(0, 7)
        .forEach(i -> found.runs(planned("09:5" + i + ":00"), "worker-1", NOW - 1_000 + i, false));

    assertThat(found.texts(FactKind.RUNNING)).hasSize(6);
    assertThat(found.texts(FactKind.RUNNING).get(5)).isEqualTo("2 more run.");
  }

  @Test
  void skippedFireTimesOfOneCauseAreToldTogether() {
    inOrder()
        .job(EVERY_TEN_MINUTES)
        .skipped(at("08:00:00"), at("08:50:00"), 6, at("09:58:00"), Cause.of(CauseCode.MISSED))
        .skipped(at("09:56:00"), at("09:56:00"), 1, at("09:59:00"), Cause.of(CauseCode.OVERLAP))
        .skipped(at("09:57:00"), at("09:57:00"), 1, at("09:59:30"), Cause.of(CauseCode.OVERLAP))
        .skipped(
            at("09:58:00"),
            at("09:58:00"),
            1,
            at("09:59:40"),
            Cause.of(CauseCode.PAUSED_BY, "shop/client-1"));

    assertThat(found.texts(FactKind.SKIPPED))
        .containsExactly(
            "The run of 2026-03-02T09:58:00Z was skipped, recorded at 2026-03-02T09:59:40Z:"
                + " paused by shop/client-1.",
            "2 fire times from 2026-03-02T09:56:00Z to 2026-03-02T09:57:00Z were skipped,"
                + " recorded at 2026-03-02T09:59:30Z: the run before it was under way.",
            "6 fire times from 2026-03-02T08:00:00Z to 2026-03-02T08:50:00Z were skipped,"
                + " recorded at 2026-03-02T09:58:00Z: missed, because no worker claimed it before"
                + " the next fire time was due, or within 1 min of its time.");
  }
}
