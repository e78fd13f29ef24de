package io.millrace.jobtracker.store.jdbc;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.StatementRecorder.Recorded;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What the runs of jobs that fire every second cost in statements. */
class StatementsOfARunTest {
  private static final int JOBS = 100;
  private static final int SECONDS = 30;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final StatementRecorder recorder = new StatementRecorder();
  private final TestDatabase database = TestDatabase.h2();
  private final HandTime time = new HandTime();
  private HandDrivenTracker tracker;
  private HandDrivenWorker worker;

  @BeforeEach
  void openTracker() {
    StoreConfig config = database.config();
    DataSource connections =
        new DriverManagerDataSource(config.effectiveUrl(), config.username(), config.password());
    tracker =
        new HandDrivenTracker(
            1, JdbcStores.over(recorder.over(connections), config.dialect()).stores(), time);
    worker = tracker.worker("worker-1");
  }

  private void submit(OverlapPolicy overlap) {
    tracker.submit(
        IntStream.range(0, JOBS)
            .mapToObj(i -> job("job-" + i).cron("* * * * * ?").param("large", "x".repeat(5_000)))
            .map(job -> job.overlap(overlap).build())
            .toArray(Job[]::new));
    time.pass(Duration.ofMillis(1));
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  @Test
  void definitionIsReadOnceAndNotForEveryRun() {
    submit(OverlapPolicy.allow());
    runAllThatIsDue();
    recorder.take();
    int runs = 0;
    for (int second = 0; second < SECONDS; second++) {
      time.pass(SECOND);
      runs += runAllThatIsDue();
    }

    assertThat(runs).isEqualTo(JOBS * SECONDS);
    List<Recorded> statements = recorder.take();
    assertThat(statements).extracting(Recorded::sql).noneMatch(sql -> sql.contains("jt_job "));
    assertThat(statements.size() / (double) runs)
        .as("statements a run; a claim and a report of a hundred share theirs")
        .isLessThan(0.15);
  }

  /** A claim and an end each write the jobs' rows, read them, and store the turns. */
  @Test
  void turnsOfAHundredJobsShareTheirStatements() {
    submit(OverlapPolicy.skip());
    runAllThatIsDue();
    recorder.take();
    int runs = 0;
    for (int second = 0; second < SECONDS; second++) {
      time.pass(SECOND);
      runs += runAllThatIsDue();
    }

    assertThat(runs).isEqualTo(JOBS * SECONDS);
    List<Recorded> ofJobs =
        recorder.take().stream().filter(r -> r.sql().contains("jt_job ")).toList();
    assertThat(ofJobs.size()).isLessThanOrEqualTo(2 * 3 * SECONDS);
  }

  /** A hundred jobs a minute and a half; each is topped up two or three times. */
  @Test
  void topUpsReadAndWriteDefinitionsManyAtATime() {
    submit(OverlapPolicy.allow());
    runAllThatIsDue();
    recorder.take();
    int topUps = 0;
    for (int second = 0; second < 90; second++) {
      time.pass(SECOND);
      topUps += tracker.generate().jobs();
    }

    assertThat(topUps).isBetween(JOBS, 4 * JOBS);
    List<Recorded> ofJobs =
        recorder.take().stream().filter(r -> r.sql().contains("jt_job ")).toList();
    assertThat(ofJobs.size())
        .as("a read, a write and the time of the next, each second or less often")
        .isLessThanOrEqualTo(3 * 90);
  }

  private int runAllThatIsDue() {
    List<Assignment> assignments = worker.take(JOBS);
    ExecutionResult[] results =
        assignments.stream()
            .map(assignment -> worker.result(assignment.executionId(), Outcome.SUCCESS, null))
            .toArray(ExecutionResult[]::new);
    worker.reportAll(results);
    return assignments.size();
  }
}
