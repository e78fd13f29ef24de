package io.millrace.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.database.RowCopies;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilledStoreTest {

  @Test
  @Tag("long")
  void rowsThatAreCopiedAreOfOtherOneShots(@TempDir Path directory) throws Exception {
    try (Databases databases = DatabaseKind.H2.start(directory);
        Fresh database = databases.fresh()) {
      Bench bench =
          new Bench(
              ScalePlan.ofTest(),
              DatabaseKind.H2,
              databases,
              directory,
              directory,
              new Figures(),
              progress -> {});

      new FilledStore(bench, database).fill(50, 250);

      try (Connection connection =
          DriverManager.getConnection(database.url(), database.user(), "")) {
        RowCopies tables = new RowCopies(connection);
        assertThat(tables.number("SELECT COUNT(DISTINCT task_id) FROM jt_waiting_bench"))
            .isEqualTo(50);
        assertThat(tables.number("SELECT COUNT(*) FROM jt_waiting_bench WHERE id = job_id"))
            .isEqualTo(50);
        assertThat(tables.number("SELECT COUNT(DISTINCT task_id) FROM jt_history")).isEqualTo(250);
        assertThat(tables.number("SELECT COUNT(DISTINCT job_id) FROM jt_history")).isEqualTo(250);
        // 20 rows are first, then 40 and 80 by doubling, then 40 in each step of 20 minutes.
        assertThat(
                tables.number(
                    "SELECT (MAX(finished_at) - MIN(finished_at)) / 600000 FROM jt_history"))
            .isBetween(11L, 13L);
      }
    }
  }
}
