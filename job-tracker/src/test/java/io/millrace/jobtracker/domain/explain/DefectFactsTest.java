package io.millrace.jobtracker.domain.explain;

import static io.millrace.jobtracker.domain.explain.SampleFindings.NOW;
import static io.millrace.jobtracker.domain.explain.SampleFindings.WRITER;
import static io.millrace.jobtracker.domain.explain.SampleFindings.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.FactKind;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DefectFactsTest {
  /** Fires at each full minute. */
  private static final Schedule EVERY_MINUTE =
      new Schedule.Repeat(Duration.ofMinutes(1), null, null);

  private final SampleFindings found = new SampleFindings();

  private void succeeded(long plannedAt) {
    found.ended(
        TriggerKey.planned("a", plannedAt), LedgerStatus.SUCCEEDED, plannedAt + 5_000, null, null);
  }

  private void lastTenMinutesSucceeded() {
    LongStream.rangeClosed(0, 10).forEach(i -> succeeded(at("09:50:00") + i * 60_000));
    found.waits(at("10:01:00"));
  }

  @Test
  void nothingIsWrongIfEveryFireTimeIsAccountedFor() {
    lastTenMinutesSucceeded();
    found.job(EVERY_MINUTE);

    assertThat(found.texts(FactKind.DEFECT)).isEmpty();
    assertThat(WRITER.seemsTorn(found.read())).isFalse();
  }

  @Test
  void fireTimeIsAccountedForWhereverItsTriggerIs() {
    found
        .job(EVERY_MINUTE)
        .skipped(at("09:40:00"), at("09:55:00"), 16, NOW, Cause.of(CauseCode.MISSED))
        .waits(at("09:56:00"))
        .runs(TriggerKey.planned("a", at("09:57:00")), "worker-1", NOW - 1_000, false)
        .held(at("09:58:00"))
        .waits(TriggerKey.planned("a", at("09:59:00")), NOW + 1_000, 2, true)
        .waits(NOW)
        .waits(at("10:01:00"));

    assertThat(found.texts(FactKind.DEFECT)).isEmpty();
  }

  @Test
  void fireTimesThatAreNowhereAreToldAndLookedForAgain() {
    LongStream.rangeClosed(0, 8).forEach(i -> succeeded(at("09:50:00") + i * 60_000));
    found.job(EVERY_MINUTE).waits(at("10:01:00"));

    assertThat(found.texts(FactKind.DEFECT))
        .containsExactly(
            "2 triggers, the first of 2026-03-02T09:59:00Z, are neither waiting nor running,"
                + " and have not ended.");
    assertThat(WRITER.seemsTorn(found.read())).isTrue();
  }

  @Test
  void attemptThatIsNotFinalAccountsForNothing() {
    lastTenMinutesSucceeded();
    found
        .job(new Schedule.Repeat(Duration.ofSeconds(30), null, null))
        .skipped(at("09:50:00"), at("09:59:00"), 19, NOW, Cause.of(CauseCode.MISSED))
        .ended(
            TriggerKey.planned("a", at("09:59:30")),
            LedgerStatus.RETRIED,
            at("09:59:40"),
            null,
            null)
        .waits(at("10:00:30"));

    assertThat(found.texts(FactKind.DEFECT))
        .contains(
            "The trigger of 2026-03-02T09:59:30Z is neither waiting nor running, and has not"
                + " ended.");
  }

  @Test
  void comingFireTimeWhoseTriggerWasToBeWrittenIsLostToo() {
    LongStream.rangeClosed(0, 10).forEach(i -> succeeded(at("09:50:00") + i * 60_000));
    found.job(EVERY_MINUTE);

    assertThat(found.texts(FactKind.DEFECT))
        .containsExactly(
            "The trigger of 2026-03-02T10:01:00Z is neither waiting nor running, and has not"
                + " ended.");
  }

  @Test
  void fireTimesOfAPausedJobAreNotLooked() {
    found.job(EVERY_MINUTE, JobState.PAUSED, SampleFindings.spec(false, null), null);

    assertThat(WRITER.seemsTorn(found.read())).isFalse();
  }

  @Test
  void nothingIsConcludedFromWhatWasCut() {
    found.job(EVERY_MINUTE);
    LongStream.range(0, TaskSnapshot.MAX_WAITING).forEach(i -> found.waits(at("09:00:00") + i));

    assertThat(WRITER.seemsTorn(found.read())).isFalse();
  }

  @Test
  void chainedJobWithoutItsOneTriggerIsToldAndLookedForAgain() {
    found
        .job(
            new Schedule.FixedDelay(Duration.ofSeconds(30), null, null),
            SampleFindings.spec(true, null))
        .waits(TriggerKey.extra("a", NOW, 1), NOW, 1, false);

    assertThat(found.texts(FactKind.DEFECT))
        .containsExactly(
            "No trigger of it is waiting or running, although another run should follow.");
    assertThat(WRITER.seemsTorn(found.read())).isTrue();
  }

  @Test
  void chainedJobWhoseTriggerRunsIsInOrder() {
    found
        .job(
            new Schedule.FixedDelay(Duration.ofSeconds(30), null, null),
            SampleFindings.spec(true, null))
        .runs(TriggerKey.planned("a", at("09:59:00")), "worker-1", NOW, false);

    assertThat(found.texts(FactKind.DEFECT)).isEmpty();
  }

  @Test
  void generationThatIsLateIsToldWithWhoIsLate() {
    lastTenMinutesSucceeded();
    found.job(
        EVERY_MINUTE,
        JobState.ACTIVE,
        SampleFindings.spec(false, null),
        null,
        at("09:58:00"),
        false);

    String late =
        "Its next triggers should have been generated at 2026-03-02T09:58:00Z, 2 min ago;"
            + " they exist only up to 2026-03-02T10:10:00Z. ";
    assertThat(found.texts(FactKind.DEFECT))
        .containsExactly(late + "This tracker serves the node group and is late; see its log.");
    assertThat(found.servedBy(Serving.none()).texts(FactKind.DEFECT))
        .containsExactly(late + "No tracker serves the node group.");
    assertThat(found.servedBy(Serving.elsewhere(4, "10.0.0.4:35001")).texts(FactKind.DEFECT))
        .containsExactly(
            late + "The node group is served by tracker 4 at 10.0.0.4:35001, which is late.");
  }

  @Test
  void scheduleThatCannotBeReadIsTold() {
    found.job(new Schedule.Cron("0 0 0 * *", null)).job(new Schedule.Cron("nonsense", null));

    assertThat(found.texts(FactKind.DEFECT)).hasSize(1);
    assertThat(found.texts(FactKind.DEFECT).get(0)).startsWith("Its schedule cannot be read: ");
    assertThat(found.texts(FactKind.SCHEDULE))
        .containsExactly(
            "Fires by the cron expression 'nonsense' in the zone Z, the tracker's default.");
  }

  @Test
  void triggersWithoutTheirDefinitionAreTold() {
    found.waits(at("10:05:00"));

    assertThat(found.texts(FactKind.DEFECT))
        .containsExactly("Triggers of a recurring job whose definition is missing from jt_job.");
  }
}
