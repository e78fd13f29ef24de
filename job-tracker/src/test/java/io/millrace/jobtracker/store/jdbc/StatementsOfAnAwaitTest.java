package io.millrace.jobtracker.store.jdbc;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.status.StatusService;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What a question about ends costs in statements. */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class StatementsOfAnAwaitTest {

  /** Ends, group, definitions, waiting rows, executions, known submissions. */
  private static final int MOST_STATEMENTS = 6;

  @Parameter TestDatabase.Kind kind;

  private final StatementRecorder recorder = new StatementRecorder();
  private final HandTime time = new HandTime();
  private TestDatabase database;
  private HandDrivenTracker tracker;
  private StatusService status;

  @BeforeEach
  void openTracker() {
    database = kind.open();
    StoreConfig config = database.config();
    DataSource connections =
        new DriverManagerDataSource(config.effectiveUrl(), config.username(), config.password());
    Stores stores = JdbcStores.over(recorder.over(connections), config.dialect()).stores();
    tracker = new HandDrivenTracker(1, stores, time);
    status = new StatusService(stores, time.timedExecutor(), ZoneOffset.UTC);
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  private static JobHandle handle(String taskId) {
    return new JobHandle(HandDrivenTracker.GROUP, taskId, "s-" + taskId);
  }

  private static List<JobHandle> handles(String taskId, int count) {
    return IntStream.range(0, count).mapToObj(i -> handle(taskId + "-" + i)).toList();
  }

  private List<JobStatus> ask(List<JobHandle> jobs) {
    recorder.take();
    CompletableFuture<OutcomeReply> reply =
        status.outcome(HandDrivenTracker.CLIENT, new OutcomeRequest(jobs, null));
    time.run();
    return reply.join().settled();
  }

  @Test
  void unknownHandlesTakeNoMoreStatementsThanOne() {
    List<JobHandle> unknown = handles("unknown", OutcomeRequest.MAX_JOBS);

    assertThat(ask(unknown.subList(0, 1))).hasSize(1);
    assertThat(recorder.take()).hasSizeLessThanOrEqualTo(MOST_STATEMENTS);

    assertThat(ask(unknown))
        .hasSize(OutcomeRequest.MAX_JOBS)
        .extracting(JobStatus::state)
        .containsOnly(JobStatus.State.NOT_KNOWN);
    assertThat(recorder.take()).hasSizeLessThanOrEqualTo(MOST_STATEMENTS);
  }

  @Test
  void thoseThatLiveAreNotToldAndOnesOfAnotherKeyAreNotKnown() {
    List<JobHandle> waiting = handles("waiting", 30);
    for (JobHandle each : waiting) {
      Job later = job(each.taskId()).at(time.now().plus(Duration.ofHours(1))).build();
      assertThat(tracker.submit(each.submissionId(), later).isStored()).isTrue();
    }
    List<JobHandle> all = new ArrayList<>(waiting);
    all.add(new JobHandle(HandDrivenTracker.GROUP, "another", waiting.get(0).submissionId()));
    all.add(new JobHandle("elsewhere", waiting.get(0).taskId(), waiting.get(0).submissionId()));
    all.addAll(handles("unknown", 30));

    assertThat(ask(all))
        .hasSize(32)
        .extracting(JobStatus::state)
        .containsOnly(JobStatus.State.NOT_KNOWN);
    assertThat(recorder.take()).as("two groups").hasSizeLessThanOrEqualTo(MOST_STATEMENTS + 1);
  }
}
