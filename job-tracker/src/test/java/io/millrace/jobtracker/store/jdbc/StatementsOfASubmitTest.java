package io.millrace.jobtracker.store.jdbc;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.EveryDatabase;
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
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What submits cost in statements. */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class StatementsOfASubmitTest {
  private static final String LOOK = "look";
  private static final String INSERT = "insert";
  private static final String ASK = "ask the other tables";

  @Parameter TestDatabase.Kind kind;

  private final StatementRecorder recorder = new StatementRecorder();
  private TestDatabase database;
  private HandDrivenTracker tracker;

  @BeforeEach
  void openTracker() {
    database = kind.open();
    StoreConfig config = database.config();
    DataSource connections =
        new DriverManagerDataSource(config.effectiveUrl(), config.username(), config.password());
    HandTime time = new HandTime();
    tracker =
        new HandDrivenTracker(
            1, JdbcStores.over(recorder.over(connections), config.dialect()).stores(), time);
    tracker.submit(job("first").at(time.now().plus(Duration.ofHours(1))).build());
    recorder.take();
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  @Test
  void newJobIsInsertedAndAskedForOnce() {
    tracker.submit(job("a").build());

    assertThat(recorder.take())
        .extracting(StatementsOfASubmitTest::what)
        .containsExactly(INSERT, ASK);
  }

  @Test
  void manyNewJobsTakeNoMoreStatementsThanOne() {
    tracker.submit(
        IntStream.range(0, 100).mapToObj(i -> job("a-" + i).build()).toArray(Job[]::new));

    List<String> statements =
        recorder.take().stream().map(StatementsOfASubmitTest::what).distinct().toList();
    assertThat(statements).containsExactly(INSERT, ASK);
  }

  @Test
  void jobThatWaitsAlreadyIsLookedForAfterItsRefusalAndThoseAfterItBeforeTheirInsert() {
    tracker.submit(job("first").build());
    assertThat(recorder.take())
        .extracting(StatementsOfASubmitTest::what)
        .startsWith(INSERT, LOOK)
        .doesNotContain(ASK);

    tracker.submit(job("a").build());

    assertThat(recorder.take())
        .extracting(StatementsOfASubmitTest::what)
        .containsExactly(LOOK, INSERT, ASK);
  }

  @Test
  void manyNewRecurringJobsTakeAFewStatementsTogether() {
    tracker.submit(recurring(100));

    assertThat(recorder.take()).hasSizeLessThan(20);
  }

  private static Job[] recurring(int jobs) {
    return IntStream.range(0, jobs)
        .mapToObj(i -> job("a-" + i).every(Duration.ofMinutes(3)).build())
        .toArray(Job[]::new);
  }

  private static String what(Recorded recorded) {
    String sql = recorded.sql();
    if (sql.startsWith("INSERT INTO jt_waiting")) {
      return INSERT;
    }
    if (sql.startsWith("SELECT") && sql.contains("jt_waiting")) {
      return LOOK;
    }
    return sql.contains("jt_executing") && sql.contains("jt_job") && sql.contains("jt_history")
        ? ASK
        : sql;
  }
}
