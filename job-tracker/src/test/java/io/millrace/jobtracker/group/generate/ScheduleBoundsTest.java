package io.millrace.jobtracker.group.generate;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Recurring jobs that begin and end at instants of their own. */
class ScheduleBoundsTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void cronFiresFromItsStartUntilBeforeItsEndAndIsFinishedThen() {
    tracker.submit(job("job").cron("0 * * * * ?").at(minute(13)).until(minute(16)).build());

    assertThat(minutesItRuns()).containsExactly(13L, 14L, 15L);
  }

  @Test
  void repetitionFiresFromItsStartUntilBeforeItsEndAndIsFinishedThen() {
    tracker.submit(job("job").every(MINUTE).at(minute(12)).until(minute(14)).build());

    assertThat(minutesItRuns()).containsExactly(12L, 13L);
  }

  @Test
  void countAndEndBothEndARepetition() {
    tracker.submit(job("job").every(MINUTE).times(2).until(minute(16)).build());

    assertThat(minutesItRuns()).containsExactly(0L, 1L);
  }

  @Test
  void fixedDelayFiresFirstAtItsStartAndNotAtItsEnd() {
    tracker.submit(job("job").fixedDelay(MINUTE).at(minute(2)).until(minute(4)).build());

    assertThat(minutesItRuns()).containsExactly(2L, 3L);
  }

  @Test
  void jobThatReliesOnItsPreviousCycleKeepsToItsBounds() {
    tracker.submit(
        job("job")
            .cron("0 * * * * ?")
            .at(minute(2))
            .until(minute(4))
            .relyOnPrevCycle(true)
            .build());

    assertThat(minutesItRuns()).containsExactly(2L, 3L);
  }

  @Test
  void runThatIsUnderWayAtTheEndIsRetriedAndNothingFollowsIt() {
    Job chained = job("job").fixedDelay(MINUTE).until(minute(1)).retry(1).build();
    tracker.submit(chained);
    HandDrivenWorker worker = tracker.worker("worker-1");
    Assignment first = worker.takeOne();
    time.pass(MINUTE);
    worker.report(first, Outcome.EXCEPTION);
    time.pass(MINUTE);
    worker.succeed(worker.takeOne());

    assertThat(ends("job")).containsExactly("RETRIED", "SUCCEEDED");
    assertThat(definition("job").state()).isEqualTo(JobState.FINISHED);
  }

  @Test
  void fireTimesMissedWhileNoTrackerRanEndWithTheJobsEnd() {
    tracker.submit(job("job").cron("0 * * * * ?").at(minute(20)).until(minute(30)).build());
    time.pass(Duration.ofDays(1));
    tracker.generate();

    assertThat(ledger("job")).extracting(LedgerEntry::instants).containsExactly(10L);
    time.pass(MINUTE);
    tracker.generate();
    assertThat(definition("job").state()).isEqualTo(JobState.FINISHED);
  }

  /** The minutes of the runs of the first twenty, after which the job must be finished. */
  private List<Long> minutesItRuns() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    for (int minute = 0; minute < 20; minute++) {
      tracker.generate();
      worker.take(1).forEach(worker::succeed);
      time.pass(MINUTE);
    }
    tracker.generate();
    assertThat(waiting("job")).isEmpty();
    assertThat(definition("job").state()).isEqualTo(JobState.FINISHED);
    assertThat(ends("job")).containsOnly("SUCCEEDED");
    return ledger("job").stream()
        .map(row -> Duration.between(HandTime.START, Instant.ofEpochMilli(row.plannedFor())))
        .map(Duration::toMinutes)
        .toList();
  }

  private static Instant minute(int number) {
    return HandTime.START.plus(MINUTE.multipliedBy(number));
  }
}
