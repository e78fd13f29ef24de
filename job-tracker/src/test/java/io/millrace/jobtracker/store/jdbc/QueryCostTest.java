package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.StatementRecorder.Recorded;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Statements that cost too much are seen to, on every database: the tests of costs rely on it. */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class QueryCostTest {
  private static final int ROWS = 2_000;

  private static TestDatabase database;
  private static QueryCost cost;

  @Parameter TestDatabase.Kind kind;

  @BeforeParameterizedClassInvocation
  static void fill(TestDatabase.Kind kind) throws SQLException {
    database = kind.open();
    cost = new QueryCost(database);
    database.execute(
        """
        INSERT INTO jt_feedback
        SELECT x, CONCAT('client-', MOD(x, 10)), 'orders', CONCAT('task-', x), 0, 0, 'DEAD', 1,
          NULL, 0, NULL
        FROM %s\
        """
            .formatted(kind.numbers(ROWS)));
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() throws SQLException {
    cost.close();
    database.close();
  }

  private static Recorded statement(String sql) {
    return new Recorded(sql, Map.of());
  }

  @Test
  void rangeOfAnIndexCostsItsRowsAndIsNotSorted() throws SQLException {
    Recorded range = statement("SELECT * FROM jt_feedback WHERE id > 100 ORDER BY id LIMIT 50");

    cost.assertDoesNotSort(cost.plan(range));
    assertThat(cost.rowsRead(range)).isBetween(50L, 52L);
  }

  @Test
  void sortIsSeen() throws SQLException {
    String plan =
        cost.plan(statement("SELECT * FROM jt_feedback WHERE id > 100 ORDER BY task_id LIMIT 50"));

    assertThatThrownBy(() -> cost.assertDoesNotSort(plan)).isInstanceOf(AssertionError.class);
  }

  @Test
  void groupingWithoutAnIndexIsSeen() throws SQLException {
    String plan =
        cost.plan(statement("SELECT task_id, COUNT(*) FROM jt_feedback GROUP BY task_id"));

    assertThatThrownBy(() -> cost.assertDoesNotSort(plan)).isInstanceOf(AssertionError.class);
  }

  @Test
  void scanCostsEveryRow() throws SQLException {
    Recorded scan = statement("SELECT * FROM jt_feedback WHERE task_id = 'task-7'");

    assertThat(cost.rowsRead(scan)).isBetween((long) ROWS, ROWS + 2L);
  }

  @Test
  void rowsThatAreSkippedAreCountedToo() throws SQLException {
    Recorded skip = statement("SELECT * FROM jt_feedback ORDER BY id LIMIT 1 OFFSET 1000");

    assertThat(cost.rowsRead(skip)).isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void deleteThatLooksAtEveryRowIsSeenAndUndone() throws SQLException {
    Recorded delete = statement("DELETE FROM jt_feedback WHERE task_id = 'task-7'");

    assertThat(cost.rowsRead(delete)).isGreaterThanOrEqualTo(ROWS);
    assertThat(database.count("jt_feedback")).isEqualTo(ROWS);
  }

  @Test
  void deleteByIdsLooksAtNoOtherRows() throws SQLException {
    Recorded byIds =
        new Recorded(
            database.config().dialect().deleteByIds("jt_feedback", "", 2), Map.of(1, 17L, 2, 18L));

    assertThat(cost.rowsRead(byIds)).as("with the list itself").isBetween(2L, 8L);
  }
}
