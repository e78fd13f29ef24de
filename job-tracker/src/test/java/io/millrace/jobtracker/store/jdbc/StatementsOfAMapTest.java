package io.millrace.jobtracker.store.jdbc;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What a run with many parts costs in statements, and how many of its parts wait at a time. */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class StatementsOfAMapTest {
  private static final int PULLED = 200;

  @Parameter TestDatabase.Kind kind;

  private final StatementRecorder recorder = new StatementRecorder();
  private TestDatabase database;
  private Stores stores;
  private HandDrivenTracker tracker;
  private HandDrivenWorker worker;

  @BeforeEach
  void openTracker() {
    database = kind.open();
    StoreConfig config = database.config();
    DataSource connections =
        new DriverManagerDataSource(config.effectiveUrl(), config.username(), config.password());
    stores = JdbcStores.over(recorder.over(connections), config.dialect()).stores();
    tracker = new HandDrivenTracker(1, stores, new HandTime());
    worker = tracker.worker("worker-1");
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  @Test
  void partsTakeFewStatementsEach() {
    runMap(5_000, "");
  }

  @Test
  void partsThatAreReducedTakeFewStatementsEach() {
    runMap(5_000, "sum");
  }

  @Test
  @Tag("long")
  void manyPartsTakeNoMoreEach() {
    runMap(25_000, "");
  }

  private void runMap(int parts, String reduce) {
    var builder = job("index");
    tracker.submit(reduce.isEmpty() ? builder.build() : builder.reduce(reduce).build());
    Assignment run = worker.takeOne();
    recorder.take();
    worker.stage(run, parts);
    assertThat(recorder.take()).as("to store them").hasSizeLessThan(parts / 40);
    worker.split(run, parts);
    assertThat(recorder.take()).as("to split the run").hasSizeLessThan(15);

    int done = 0;
    long statements = 0;
    while (done < parts) {
      tracker.runBatches();
      assertThat(stores.waiting().findByTask(GROUP, PartKey.taskIdOf(run.executionId())).size())
          .isLessThanOrEqualTo(1_000);
      List<Assignment> some = worker.take(PULLED);
      assertThat(some).as("after %s parts", done).isNotEmpty();
      worker.reportAll(
          some.stream()
              .map(part -> worker.result(part.executionId(), Outcome.SUCCESS, null))
              .toArray(ExecutionResult[]::new));
      done += some.size();
      statements += recorder.take().size();
    }
    assertThat(statements).as("to run %s parts", parts).isLessThan(parts / 4);
    tracker.runBatches();
    if (!reduce.isEmpty()) {
      worker.succeed(worker.takeOne());
      tracker.runBatches();
    }
    assertThat(stores.batches().find(List.of(run.executionId()))).isEmpty();
    assertThat(recorder.take()).as("to end the run").hasSizeLessThan(60);
  }
}
