package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Jobs by cron, at fixed rates and delays, over nights, months and clock changes. */
class ScheduleExamplesTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final String NIGHTLY = "0 30 2 * * ?";

  private static void submitNightly(TestMillrace millrace) {
    millrace.worker("reports", worker -> worker.runner(context -> Result.success()));
    millrace.client().submit(Job.builder("reports", "nightly").cron(NIGHTLY, NEW_YORK).build());
  }

  @Test
  @MillraceTest(startAt = "2026-06-10T17:00", zone = "America/New_York")
  void tomorrowAtHalfPastTwoInNewYork(TestMillrace millrace) {
    submitNightly(millrace);
    ZonedDateTime night = millrace.now().plusDays(1).with(LocalTime.of(2, 30));

    millrace.advanceTo(night.minusNanos(1_000_000));
    millrace.runs("reports", "nightly").hasNotRun();

    millrace.advanceTo(night);
    millrace.runs("reports", "nightly").hasRunFor(night).hasSucceeded(1);
    assertThat(millrace.now()).isEqualTo(night);
  }

  @Test
  @MillraceTest(startAt = "2026-03-06T17:00", zone = "America/New_York")
  void nightWithoutHalfPastTwoRunsAtThree(TestMillrace millrace) {
    submitNightly(millrace);

    millrace.advance(Duration.ofDays(3));

    millrace
        .runs("reports", "nightly")
        .hasRunFor(
            ZonedDateTime.parse("2026-03-07T02:30-05:00"),
            ZonedDateTime.parse("2026-03-08T03:00-04:00"),
            ZonedDateTime.parse("2026-03-09T02:30-04:00"));
  }

  @Test
  @MillraceTest(startAt = "2026-10-31T17:00", zone = "America/New_York")
  void nightWithTwoHalfPastOneRunsOnce(TestMillrace millrace) {
    millrace.worker("reports", worker -> worker.runner(context -> Result.success()));
    millrace.client().submit(Job.builder("reports", "nightly").cron("0 30 1 * * ?").build());

    millrace.advance(Duration.ofDays(2));

    millrace
        .runs("reports", "nightly")
        .hasRunFor(
            ZonedDateTime.parse("2026-11-01T01:30-04:00"),
            ZonedDateTime.parse("2026-11-02T01:30-05:00"));
  }

  @Test
  @MillraceTest
  void everyInstantOfAMonthRunsOnceAndAtItsTime(TestMillrace millrace) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    Instant start = millrace.now().toInstant();
    Job often = Job.builder("orders", "often").every(Duration.ofMinutes(97)).build();
    Job rarely = Job.builder("orders", "rarely").cron("17 3 5 ? * MON").build();
    millrace.client().submitAll(List.of(often, rarely));

    millrace.advance(Duration.ofDays(30));

    List<JobRun> runs = millrace.runs("orders", "often").list();
    assertThat(runs)
        .extracting(JobRun::plannedFor)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(0, 30 * 24 * 60 / 97)
                .mapToObj(n -> start.plus(97 * n, ChronoUnit.MINUTES))
                .toList());
    assertThat(runs)
        .allSatisfy(
            run -> assertThat(run.attempts().get(0).startedAt()).isEqualTo(run.plannedFor()));
    millrace.runs("orders", "rarely").hasRun(4).hasSucceeded(4);
  }

  @Test
  @MillraceTest
  void jobsOfAYearAwayAreReached(TestMillrace millrace) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    Instant inAYear = millrace.now().plusYears(1).toInstant();
    millrace.client().submit(Job.builder("orders", "renew").at(inAYear).build());
    millrace.client().submit(Job.builder("orders", "yearly").cron("0 0 8 5 1 ?").build());

    millrace.advanceTo(inAYear);

    millrace.runs("orders", "renew").hasRunFor(inAYear);
    millrace.runs("orders", "yearly").hasRun(2);
  }

  @Test
  @MillraceTest
  void everySecondOfAMinuteRuns(TestMillrace millrace) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    millrace.client().submit(Job.builder("orders", "ticks").cron("* * * * * ?").build());
    millrace.runDue();

    millrace.advance(Duration.ofMinutes(1));

    millrace.runs("orders", "ticks").hasRun(61);
  }

  @Test
  @MillraceTest
  void fixedDelayCountsFromTheEndOfARun(TestMillrace millrace) {
    Instant start = millrace.now().toInstant();
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  millrace.work(Duration.ofMinutes(20));
                  return Result.success();
                }));
    millrace.client().submit(Job.builder("orders", "sync").fixedDelay(Duration.ofHours(1)).build());

    millrace.advance(Duration.ofHours(3));

    List<Instant> starts = new ArrayList<>();
    millrace
        .runs("orders", "sync")
        .started()
        .forEach(run -> starts.add(run.attempts().get(0).startedAt()));
    assertThat(starts)
        .containsExactly(
            start, start.plus(Duration.ofMinutes(80)), start.plus(Duration.ofMinutes(160)));
  }

  @Test
  @MillraceTest
  void pausedJobsDoNotRunUntilResumed(TestMillrace millrace) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    millrace.client().submit(Job.builder("orders", "hourly").cron("0 0 * * * ?").build());
    millrace.runDue();
    millrace.client().pause("orders", "hourly");
    millrace.advance(Duration.ofHours(3));
    millrace.client().resume("orders", "hourly");

    millrace.advance(Duration.ofHours(2));

    millrace.runs("orders", "hourly").hasRun(3).hasBeenSkipped(3);
  }
}
