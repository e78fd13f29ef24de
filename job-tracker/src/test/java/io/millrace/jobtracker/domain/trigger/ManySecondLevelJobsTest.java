package io.millrace.jobtracker.domain.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What ten thousand jobs that run every second have ahead, and when they are topped up. */
class ManySecondLevelJobsTest {
  private static final int JOBS = 10_000;
  private static final long NOW = Instant.parse("2026-11-21T00:00:00Z").toEpochMilli();
  private static final int SECONDS = 300;

  private final JobPlanner planner = new JobPlanner(ZoneOffset.UTC, GenerationLimits.DEFAULT);
  private final PriorityQueue<JobDefinition> jobs =
      new PriorityQueue<>(Comparator.comparing(JobDefinition::generateAt));
  private final int[] topUps = new int[SECONDS];
  private final int[] written = new int[SECONDS];

  /** They are submitted at one instant, and all fire at the full second: it cannot be worse. */
  @Test
  void rowsAheadAreBoundedAndTopUpsAreSpreadEvenly() {
    IdSequence ids = new IdSequence(1, 0);
    List<JobDefinition> submitted =
        IntStream.range(0, JOBS).mapToObj(i -> job(ids.next(NOW), i)).toList();
    submitted.forEach(job -> jobs.add(topUp(job, NOW)));
    for (int second = 0; second < SECONDS; second++) {
      long end = NOW + second * 1_000L + 999;
      while (jobs.peek().generateAt() <= end) {
        JobDefinition job = jobs.remove();
        jobs.add(topUp(job, job.generateAt()));
      }
    }

    int[] settled = IntStream.range(120, SECONDS).map(second -> topUps[second]).toArray();
    double mean = IntStream.of(settled).average().orElseThrow();
    assertThat(mean).as("a job comes again after some 42 s").isBetween(JOBS / 54.0, JOBS / 30.0);
    assertThat(IntStream.of(settled).max().orElseThrow()).isLessThan((int) (2 * mean));
    assertThat(IntStream.of(topUps).skip(1).max().orElseThrow())
        .as("already the first time after they came together")
        .isLessThan((int) (3 * mean));
    assertThat(IntStream.range(120, SECONDS).map(second -> written[second]).average().orElseThrow())
        .as("as many are written as fire")
        .isBetween(0.95 * JOBS, 1.05 * JOBS);
  }

  private JobDefinition topUp(JobDefinition job, long now) {
    JobPlanner.Planned planned = planner.window(job, now);
    int second = (int) ((now - NOW) / 1_000);
    topUps[second] += second == 0 ? 0 : 1;
    written[second] += planned.instants().size();
    JobDefinition advanced = planned.advanced();
    long ahead = (advanced.generatedUntil() - now) / 1_000;
    assertThat(ahead).as("rows ahead of one job").isLessThanOrEqualTo(60);
    assertThat(job.generatedUntil()).as("topped up in time").isGreaterThanOrEqualTo(now - 1);
    return advanced;
  }

  private static JobDefinition job(long id, int number) {
    return new JobDefinition(
        id,
        "orders",
        "every-second-" + number,
        1,
        JobState.ACTIVE,
        new Schedule.Cron("* * * * * ?", null),
        SampleTriggers.SPEC,
        StoredParams.NONE,
        100,
        NOW,
        NOW - 1,
        null,
        0,
        false);
  }
}
